// Everything a deployment of Ledgerline consists of, in one resource group. infra/README.md explains the parameters.
targetScope = 'subscription'

@description('Name of the deployment: the resource group is rg-NAME.')
@minLength(1)
@maxLength(40)
param environmentName string

@description('Azure region. Flex Consumption must be offered there.')
param location string

@description('Base address of a remote service that speaks the interface. Empty: the built-in administration, on PostgreSQL.')
param administrationUrl string = ''

@description('Encrypts credentials at rest: 32 random bytes in base64. Empty: the secret that the key vault holds stays.')
@secure()
param secretKey string = ''

@description('The secret key before it, while pushes wait that began under it. Empty: none.')
@secure()
param secretKeyPrevious string = ''

@description('Shows the detail of /health to whoever sends it. Empty: the secret that the key vault holds stays.')
@secure()
param healthKey string = ''

@description('Address of the mail server, with user name and password. Empty: mail waits.')
@secure()
param smtpUrl string = ''

@description('Sender of mail, such as invoices@example.com.')
param mailFrom string = ''

@description('Object id of the person who administers the database, such as the one who deploys. Empty: nobody but the app.')
param databaseAdministratorId string = ''

@description('User name of that person, such as anna@example.com.')
param databaseAdministratorName string = ''

@description('Size of the database server. The smallest allows 35 connections, Standard_B2s more than 400.')
param databaseSize string = 'Standard_B1ms'

@description('Where "today" is.')
param timeZone string = 'Europe/Amsterdam'

@description('Storage, key vault and database are reached over a private network only.')
param privateNetwork bool = false

@description('Gets the alerts by e-mail. Empty: alerts are shown in the portal only.')
param alertEmail string = ''

@description('Copies of stored data. Standard_ZRS survives the loss of a data centre; where a region lacks it: Standard_LRS.')
@allowed(['Standard_ZRS', 'Standard_LRS', 'Standard_GZRS', 'Standard_GRS'])
param storageRedundancy string = 'Standard_ZRS'

@description('Anything: it changes the names of all resources. The names of a removed deployment may be taken for some days.')
@maxLength(20)
param generation string = ''

@description('Upper limit of instances for each group of functions. Below 40 is not allowed in every region. Each holds up to ten database connections.')
@minValue(1)
@maxValue(1000)
param maximumInstances int = 40

var tags = { 'azd-env-name': environmentName }
var suffix = empty(generation)
  ? uniqueString(subscription().id, environmentName, location)
  : uniqueString(subscription().id, environmentName, location, generation)
var builtin = empty(administrationUrl)

resource group 'Microsoft.Resources/resourceGroups@2024-03-01' = {
  name: 'rg-${environmentName}'
  location: location
  tags: tags
}

module identity 'modules/identity.bicep' = {
  name: 'identity'
  scope: group
  params: { name: 'id-ledgerline-${suffix}', location: location, tags: tags }
}

module network 'modules/network.bicep' = if (privateNetwork) {
  name: 'network'
  scope: group
  params: { name: 'vnet-ledgerline-${suffix}', location: location, tags: tags }
}

module storage 'modules/storage.bicep' = {
  name: 'storage'
  scope: group
  params: {
    name: 'stledger${suffix}'
    redundancy: storageRedundancy
    location: location
    tags: tags
    principalId: identity.outputs.principalId
    privateNetwork: privateNetwork
  }
}

module vault 'modules/keyVault.bicep' = {
  name: 'keyVault'
  scope: group
  params: {
    name: 'kv-ledger-${suffix}'
    location: location
    tags: tags
    principalId: identity.outputs.principalId
    privateNetwork: privateNetwork
    secretKey: secretKey
    secretKeyPrevious: secretKeyPrevious
    healthKey: healthKey
    smtpUrl: smtpUrl
  }
}

module database 'modules/database.bicep' = if (builtin) {
  name: 'database'
  scope: group
  params: {
    name: 'psql-ledgerline-${suffix}'
    location: location
    tags: tags
    identityName: identity.outputs.name
    principalId: identity.outputs.principalId
    administratorId: databaseAdministratorId
    administratorName: databaseAdministratorName
    skuName: databaseSize
    privateNetwork: privateNetwork
  }
}

module endpoints 'modules/privateEndpoints.bicep' = if (privateNetwork) {
  name: 'privateEndpoints'
  scope: group
  params: {
    location: location
    tags: tags
    networkId: network!.outputs.id
    subnetId: network!.outputs.endpointSubnetId
    storageId: storage.outputs.id
    vaultId: vault.outputs.id
    databaseId: builtin ? database!.outputs.id : ''
  }
}

module monitoring 'modules/monitoring.bicep' = {
  name: 'monitoring'
  scope: group
  params: {
    suffix: suffix
    location: location
    tags: tags
    principalId: identity.outputs.principalId
    alertEmail: alertEmail
  }
}

module app 'modules/functionApp.bicep' = {
  name: 'functionApp'
  scope: group
  params: {
    name: 'func-ledgerline-${suffix}'
    planName: 'plan-ledgerline-${suffix}'
    location: location
    tags: tags
    identityId: identity.outputs.id
    identityClientId: identity.outputs.clientId
    storageName: storage.outputs.name
    deploymentContainerUrl: storage.outputs.deploymentContainerUrl
    insightsConnectionString: monitoring.outputs.connectionString
    subnetId: privateNetwork ? network!.outputs.appSubnetId : ''
    maximumInstances: maximumInstances
    settings: union(
      {
        TIME_ZONE: timeZone
        SECRET_KEY: vault.outputs.secretKeyReference
        HEALTH_KEY: vault.outputs.healthKeyReference
      },
      empty(secretKeyPrevious) ? {} : { SECRET_KEY_PREVIOUS: vault.outputs.secretKeyPreviousReference },
      empty(smtpUrl) ? {} : { SMTP_URL: vault.outputs.smtpUrlReference },
      empty(mailFrom) ? {} : { MAIL_FROM: mailFrom },
      builtin ? { DATABASE_URL: database!.outputs.url } : { ADMINISTRATION_URL: administrationUrl },
      // A deployment removes all settings but these.
      loadJsonContent('settings.json')
    )
  }
  dependsOn: [endpoints]
}

output AZURE_RESOURCE_GROUP string = group.name
output AZURE_LOCATION string = location
output APP_NAME string = app.outputs.name
output APP_URL string = app.outputs.url
output STORAGE_NAME string = storage.outputs.name
output KEY_VAULT_NAME string = vault.outputs.name
output DATABASE_HOST string = builtin ? database!.outputs.host : ''
