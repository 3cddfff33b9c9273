// The app itself, on Flex Consumption.
param name string
param planName string
param location string
param tags object
param identityId string
param identityClientId string
param storageName string
param deploymentContainerUrl string
@secure()
param insightsConnectionString string
@description('Subnet the app sends from; empty without a private network.')
param subnetId string
param maximumInstances int
@description('Settings of the app by name, as docs/settings.md has them.')
param settings object

resource plan 'Microsoft.Web/serverfarms@2025-05-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: { reserved: true }
}

resource app 'Microsoft.Web/sites@2025-05-01' = {
  name: name
  location: location
  // azd finds by this tag where a service is deployed to.
  tags: union(tags, { 'azd-service-name': 'app' })
  kind: 'functionapp,linux'
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identityId}': {} } }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    keyVaultReferenceIdentity: identityId
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    siteConfig: {
      minTlsVersion: '1.2'
      ftpsState: 'Disabled'
      appSettings: [for setting in items(union(platformSettings, settings)): { name: setting.key, value: setting.value }]
    }
    functionAppConfig: {
      runtime: { name: 'node', version: '24' }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: deploymentContainerUrl
          authentication: { type: 'UserAssignedIdentity', userAssignedIdentityResourceId: identityId }
        }
      }
      scaleAndConcurrency: {
        instanceMemoryMB: 2048
        maximumInstanceCount: maximumInstances
        triggers: { http: { perInstanceConcurrency: 32 } }
      }
      // The default, Recreate, ends whatever runs at an update.
      siteUpdateStrategy: { type: 'RollingUpdate' }
    }
  }
}

var platformSettings = {
  AzureWebJobsStorage__accountName: storageName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  AZURE_CLIENT_ID: identityClientId
  // The database is signed in to with this identity: nothing else is tried.
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential'
  APPLICATIONINSIGHTS_CONNECTION_STRING: insightsConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identityClientId};Authorization=AAD'
  // Bytes of a request: the largest body a function takes. The platform's own limit is 100 MB.
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '16777216'
}

output name string = app.name
output url string = 'https://${app.properties.defaultHostName}'
