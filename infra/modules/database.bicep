// The PostgreSQL server of the built-in administration. Only Entra identities sign in: there is no password.
param name string
param location string
param tags object
param identityName string
param principalId string
param administratorId string
param administratorName string
param privateNetwork bool

var databaseName = 'ledgerline'
// The tier is the letter of the size: B, D or E.
var tiers = { B: 'Burstable', D: 'GeneralPurpose', E: 'MemoryOptimized' }
var skuTier = tiers[substring(skuName, length('Standard_'), 1)]

@description('Storage in GB; it grows by itself.')
param storageSizeGB int = 32

@description('Size of the server, such as Standard_B1ms.')
param skuName string

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2024-08-01' = {
  name: name
  location: location
  tags: tags
  sku: { name: skuName, tier: skuTier }
  properties: {
    version: '16'
    authConfig: {
      activeDirectoryAuth: 'Enabled'
      passwordAuth: 'Disabled'
      tenantId: subscription().tenantId
    }
    storage: { storageSizeGB: storageSizeGB, autoGrow: 'Enabled' }
    backup: { backupRetentionDays: 35, geoRedundantBackup: 'Disabled' }
    highAvailability: { mode: 'Disabled' }
    network: { publicNetworkAccess: privateNetwork ? 'Disabled' : 'Enabled' }
  }

  resource database 'databases' = {
    name: databaseName
    properties: { charset: 'UTF8', collation: 'en_US.utf8' }
  }

  // The special range 0.0.0.0 lets in other resources in Azure; they still need a token of this identity.
  resource azureServices 'firewallRules' = if (!privateNetwork) {
    name: 'AllowAllAzureServicesAndResourcesWithinAzureIps'
    properties: { startIpAddress: '0.0.0.0', endIpAddress: '0.0.0.0' }
    dependsOn: [database]
  }

  resource administrator 'administrators' = {
    name: principalId
    properties: {
      principalType: 'ServicePrincipal'
      principalName: identityName
      tenantId: subscription().tenantId
    }
    // The server takes one change at a time.
    dependsOn: [database, azureServices]
  }

  // A person, for the command line. What the app makes, it lets administrators of the server read and write.
  resource person 'administrators' = if (!empty(administratorId) && !empty(administratorName)) {
    name: administratorId
    properties: {
      principalType: 'User'
      principalName: administratorName
      tenantId: subscription().tenantId
    }
    dependsOn: [database, azureServices, administrator]
  }
}

output id string = server.id
output host string = server.properties.fullyQualifiedDomainName
// Without a password: the app signs in with a token of its identity.
output url string = 'postgres://${uriComponent(identityName)}@${server.properties.fullyQualifiedDomainName}:5432/${databaseName}?sslmode=verify-full'
