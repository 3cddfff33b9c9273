// Logs, traces and alerts. Application Insights takes no local keys: the app sends with its identity.
param suffix string
param location string
param tags object
param principalId string
@description('Gets the alerts. Empty: nobody gets mail.')
param alertEmail string

var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

resource workspace 'Microsoft.OperationalInsights/workspaces@2023-09-01' = {
  name: 'log-ledgerline-${suffix}'
  location: location
  tags: tags
  properties: { sku: { name: 'PerGB2018' }, retentionInDays: 90 }
}

resource insights 'Microsoft.Insights/components@2020-02-02' = {
  name: 'appi-ledgerline-${suffix}'
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    DisableLocalAuth: true
  }
}

resource publishing 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(insights.id, principalId, monitoringMetricsPublisher)
  scope: insights
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource mail 'Microsoft.Insights/actionGroups@2023-01-01' = if (!empty(alertEmail)) {
  name: 'ag-ledgerline-${suffix}'
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'ledgerline'
    enabled: true
    emailReceivers: [{ name: 'administrator', emailAddress: alertEmail, useCommonAlertSchema: true }]
  }
}

var alerts = [
  {
    name: 'poison-messages'
    title: 'A message failed too often'
    text: 'A queue message was moved to its poison queue: a push or an export stands still.'
    severity: 1
    query: 'AppTraces | where Message has "MaxDequeueCount"'
  }
  {
    name: 'server-errors'
    title: 'Requests end in a server error'
    text: 'Requests were answered with a status of 500 or more.'
    severity: 2
    query: 'AppRequests | where toint(ResultCode) >= 500'
  }
]

resource rules 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for alert in alerts: {
    name: 'alert-ledgerline-${alert.name}-${suffix}'
    location: location
    tags: tags
    properties: {
      displayName: alert.title
      description: alert.text
      severity: alert.severity
      enabled: true
      scopes: [workspace.id]
      evaluationFrequency: 'PT15M'
      windowSize: 'PT15M'
      autoMitigate: true
      criteria: {
        allOf: [
          {
            query: alert.query
            timeAggregation: 'Count'
            operator: 'GreaterThan'
            threshold: 0
            failingPeriods: { numberOfEvaluationPeriods: 1, minFailingPeriodsToAlert: 1 }
          }
        ]
      }
      actions: { actionGroups: empty(alertEmail) ? [] : [mail.id] }
    }
  }
]

output connectionString string = insights.properties.ConnectionString
