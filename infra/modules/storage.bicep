// The storage account of the app: its package, pushes, exports, and what the Functions host needs. Shared keys are off.
param name string
@description('Copies of the data, as the name of a SKU.')
param redundancy string
param location string
param tags object
param principalId string
param privateNetwork bool

var deploymentContainer = 'deployment'

// What the identity may do. The Functions host demands "owner" of blobs: it sets leases and their metadata.
var roles = {
  StorageBlobDataOwner: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  StorageQueueDataContributor: '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
  StorageTableDataContributor: '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
}

resource account 'Microsoft.Storage/storageAccounts@2024-01-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: redundancy }
  kind: 'StorageV2'
  properties: {
    allowBlobPublicAccess: false
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: privateNetwork ? 'Disabled' : 'Enabled'
    networkAcls: { defaultAction: privateNetwork ? 'Deny' : 'Allow', bypass: 'AzureServices' }
  }

  resource blobs 'blobServices' = {
    name: 'default'
    properties: { deleteRetentionPolicy: { enabled: true, days: 7 } }

    resource deployment 'containers' = {
      name: deploymentContainer
    }
  }
}

resource assignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for role in items(roles): {
    name: guid(account.id, principalId, role.value)
    scope: account
    properties: {
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role.value)
      principalId: principalId
      principalType: 'ServicePrincipal'
    }
  }
]

output id string = account.id
output name string = account.name
output deploymentContainerUrl string = '${account.properties.primaryEndpoints.blob}${deploymentContainer}'
