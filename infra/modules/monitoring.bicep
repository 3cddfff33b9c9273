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

// The app logs the state of each part every quarter of an hour, as JSON: functions/health/health.ts.
var health = 'AppTraces | extend line = parse_json(Message) | where line.event == "health"'

var alerts = [
  {
    name: 'poison-messages'
    title: 'A message failed too often'
    text: 'A message of a queue is in its poison queue: a push or an export stands still.'
    severity: 1
    query: '${health} | where toint(line.poisoned) > 0'
    minutes: 30
    silence: false
  }
  {
    name: 'late-exports'
    title: 'An export of relations is late'
    text: 'An administration has had no export for an hour after its time.'
    severity: 2
    query: '${health} and line.part == "exports" | mv-expand one = line.administrations | where toint(one.late) > 3600'
    minutes: 30
    silence: false
  }
  {
    name: 'late-mail'
    title: 'Mail is late'
    text: 'Mail waits ten minutes past its time, was refused, or may not have been sent.'
    severity: 2
    query: '${health} and line.part == "administration" | where toint(line.mail.lateBy) > 600 or toint(line.mail.failed) > 0 or toint(line.mail.unknown) > 0'
    minutes: 30
    silence: false
  }
  {
    name: 'late-periodic-invoices'
    title: 'Periodic invoices are late'
    text: 'A periodic invoice was due before yesterday and is not made.'
    severity: 2
    query: '${health} and line.part == "administration" | where toint(line.periodicInvoices.waiting) > 0 and todatetime(line.periodicInvoices.since) < ago(2d)'
    minutes: 30
    silence: false
  }
  {
    name: 'server-errors'
    title: 'Requests end in a server error'
    text: 'Requests were answered with a status of 500 or more.'
    severity: 2
    query: 'AppRequests | where toint(ResultCode) >= 500'
    minutes: 30
    silence: false
  }
  {
    name: 'silence'
    title: 'The app says nothing any more'
    text: 'For an hour nothing was logged of how the app is: its timers stand still, or it does not start.'
    severity: 1
    query: health
    minutes: 60
    silence: true
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
      windowSize: 'PT${alert.minutes}M'
      autoMitigate: true
      // A workspace that is new may not know the tables of the queries yet.
      skipQueryValidation: true
      criteria: {
        allOf: [
          {
            query: alert.query
            timeAggregation: 'Count'
            operator: alert.silence ? 'LessThan' : 'GreaterThan'
            threshold: alert.silence ? 1 : 0
            failingPeriods: { numberOfEvaluationPeriods: 1, minFailingPeriodsToAlert: 1 }
          }
        ]
      }
      actions: { actionGroups: empty(alertEmail) ? [] : [mail.id] }
    }
  }
]

output connectionString string = insights.properties.ConnectionString
