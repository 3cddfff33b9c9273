// Run by `azd provision` before it makes anything. Azure registers the resource providers of what a template makes, but
// not the one that the subnet of the app is delegated to.
import { spawnSync } from 'node:child_process';

const { AZURE_SUBSCRIPTION_ID, PRIVATE_NETWORK } = process.env;
if (PRIVATE_NETWORK === 'true') {
  const register = ['provider', 'register', '--namespace', 'Microsoft.App', '--wait'];
  const subscription = AZURE_SUBSCRIPTION_ID ? ['--subscription', AZURE_SUBSCRIPTION_ID] : [];
  const { status } = spawnSync('az', [...register, ...subscription], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) console.log('ok: the resource provider Microsoft.App is registered');
  else {
    // Somebody else may have registered it already; the deployment tells.
    console.log(`Microsoft.App could not be registered. The private network needs it: az ${register.join(' ')}`);
  }
}
