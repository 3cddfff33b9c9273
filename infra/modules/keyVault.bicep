// The secrets of the app. Its settings refer to them; the identity may read them and nothing else.
param name string
param location string
param tags object
param principalId string
param privateNetwork bool

@secure()
param secretKey string
@secure()
param secretKeyPrevious string
@secure()
param healthKey string
@secure()
param smtpUrl string

var keyVaultSecretsUser = '4633458b-17de-408a-b874-0445c86b69e6'

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    tenantId: subscription().tenantId
    sku: { family: 'A', name: 'standard' }
    enableRbacAuthorization: true
    enableSoftDelete: true
    enablePurgeProtection: true
    // The shortest: as long as that, a removed vault cannot be purged, and its name is taken.
    softDeleteRetentionInDays: 7
    publicNetworkAccess: privateNetwork ? 'Disabled' : 'Enabled'
    networkAcls: { defaultAction: privateNetwork ? 'Deny' : 'Allow', bypass: 'AzureServices' }
  }

  // An empty parameter leaves the secret that is there as it is.
  resource secret 'secrets' = if (!empty(secretKey)) {
    name: 'secret-key'
    properties: { value: secretKey }
  }

  resource previous 'secrets' = if (!empty(secretKeyPrevious)) {
    name: 'secret-key-previous'
    properties: { value: secretKeyPrevious }
  }

  resource health 'secrets' = if (!empty(healthKey)) {
    name: 'health-key'
    properties: { value: healthKey }
  }

  resource smtp 'secrets' = if (!empty(smtpUrl)) {
    name: 'smtp-url'
    properties: { value: smtpUrl }
  }
}

resource reading 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault.id, principalId, keyVaultSecretsUser)
  scope: vault
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', keyVaultSecretsUser)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

output id string = vault.id
output name string = vault.name
output secretKeyReference string = '@Microsoft.KeyVault(SecretUri=${vault.properties.vaultUri}secrets/secret-key)'
output secretKeyPreviousReference string = '@Microsoft.KeyVault(SecretUri=${vault.properties.vaultUri}secrets/secret-key-previous)'
output healthKeyReference string = '@Microsoft.KeyVault(SecretUri=${vault.properties.vaultUri}secrets/health-key)'
output smtpUrlReference string = '@Microsoft.KeyVault(SecretUri=${vault.properties.vaultUri}secrets/smtp-url)'
