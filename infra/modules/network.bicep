// The private network: one subnet that the app sends from, one for the private endpoints.
param name string
param location string
param tags object

resource network 'Microsoft.Network/virtualNetworks@2024-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: ['10.20.0.0/16'] }
    subnets: [
      {
        name: 'app'
        properties: {
          addressPrefix: '10.20.0.0/24'
          // What Flex Consumption runs in.
          delegations: [{ name: 'flex', properties: { serviceName: 'Microsoft.App/environments' } }]
        }
      }
      {
        name: 'endpoints'
        properties: { addressPrefix: '10.20.1.0/24', privateEndpointNetworkPolicies: 'Disabled' }
      }
    ]
  }

  resource app 'subnets' existing = { name: 'app' }
  resource endpoints 'subnets' existing = { name: 'endpoints' }
}

output id string = network.id
output appSubnetId string = network::app.id
output endpointSubnetId string = network::endpoints.id
