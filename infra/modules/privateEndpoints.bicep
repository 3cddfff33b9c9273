// Private addresses of storage, key vault and database, with the names that lead to them.
param location string
param tags object
param networkId string
param subnetId string
param storageId string
param vaultId string
param databaseId string

var storageSuffix = environment().suffixes.storage
var always = [
  { name: 'blob', target: storageId, group: 'blob', zone: 'privatelink.blob.${storageSuffix}' }
  { name: 'queue', target: storageId, group: 'queue', zone: 'privatelink.queue.${storageSuffix}' }
  { name: 'table', target: storageId, group: 'table', zone: 'privatelink.table.${storageSuffix}' }
  { name: 'vault', target: vaultId, group: 'vault', zone: 'privatelink.vaultcore.azure.net' }
]
var ofDatabase = [
  {
    name: 'postgres'
    target: databaseId
    group: 'postgresqlServer'
    zone: 'privatelink.postgres.database.azure.com'
  }
]
var all = concat(always, empty(databaseId) ? [] : ofDatabase)

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for one in all: {
    name: one.zone
    location: 'global'
    tags: tags
  }
]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (one, index) in all: {
    parent: zones[index]
    name: 'ledgerline'
    location: 'global'
    properties: { registrationEnabled: false, virtualNetwork: { id: networkId } }
  }
]

resource endpoints 'Microsoft.Network/privateEndpoints@2024-05-01' = [
  for one in all: {
    name: 'pe-${one.name}'
    location: location
    tags: tags
    properties: {
      subnet: { id: subnetId }
      privateLinkServiceConnections: [
        { name: one.name, properties: { privateLinkServiceId: one.target, groupIds: [one.group] } }
      ]
    }
  }
]

resource names 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2024-05-01' = [
  for (one, index) in all: {
    parent: endpoints[index]
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [{ name: one.name, properties: { privateDnsZoneId: zones[index].id } }]
    }
  }
]
