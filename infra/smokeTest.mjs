// Run by `azd deploy` when it is done: are the functions there, is the app up, does it read?
// By hand: APP_URL=https://... [SMOKE_API_KEY=... SMOKE_USERNAME=...] node infra/smokeTest.mjs
import { spawnSync } from 'node:child_process';

const { APP_URL, APP_NAME, AZURE_RESOURCE_GROUP, AZURE_SUBSCRIPTION_ID, SMOKE_API_KEY, SMOKE_USERNAME } = process.env;
if (!APP_URL) {
  console.error(
    'APP_URL is not set: expected the address of the app, such as https://func-ledgerline-abc.azurewebsites.net',
  );
  process.exit(1);
}
const base = APP_URL.replace(/\/+$/, '');

/** A new package takes a while to start: each check is tried for three minutes. */
const MAX_WAIT_MS = 180_000;
const RETRY_AFTER_MS = 5_000;

/** @param {() => Promise<string | undefined>} check resolves to what is wrong, or to nothing */
async function expectSoon(title, check) {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    let wrong;
    try {
      wrong = await check();
    } catch (failure) {
      wrong = String(failure.cause ?? failure);
    }
    if (wrong === undefined) {
      console.log(`ok: ${title}`);
      return;
    }
    if (Date.now() > end) {
      console.error(`failed: ${title}: ${wrong}`);
      process.exit(1);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
}

const get = (path, headers = {}) => fetch(base + path, { headers, signal: AbortSignal.timeout(60_000) });

/** Every function of the app: a package that did not start has none, an old one lacks some. */
const functionNames = [
  'addorder',
  'addproduct',
  'addpurchasetransaction',
  'addsalesinvoice',
  'addsalestransaction',
  'administration',
  'auditfileCancel',
  'auditfileCheck',
  'auditfileErase',
  'auditfileImport',
  'auditfileList',
  'auditfileMaintenance',
  'auditfilePart',
  'auditfileReceive',
  'auditfileState',
  'auditfileWithdraw',
  'auditfileWork',
  'documentLink',
  'documentLinkRemoval',
  'eInvoiceCheck',
  'exportFile',
  'exportRequest',
  'exports',
  'health',
  'healthLog',
  'invoiceDocument',
  'invoiceDocumentLink',
  'ledgerAuditfile',
  'ledgerBalances',
  'ledgerEntries',
  'ledgerFigures',
  'ledgerOpenItems',
  'listledgeraccounts',
  'listprojectmaterialbooking',
  'listrelations',
  'listsalesinvoices',
  'listtaxcodes',
  'openapi',
  'outgoingMail',
  'periodicInvoices',
  'products',
  'pushBegin',
  'pushCancel',
  'pushChanges',
  'pushList',
  'pushLookAgain',
  'pushMaintenance',
  'pushRows',
  'pushWork',
  'relationExport',
  'relationExportTimer',
  'taskpane',
  'updateproduct',
  'vatFiled',
  'vatIntervat',
  'vatLines',
  'vatReturn',
  'withoutEndpoint',
];

if (APP_NAME && AZURE_RESOURCE_GROUP) {
  const az = (...words) => spawnSync('az', words, { encoding: 'utf8', shell: process.platform === 'win32' });
  // The account of az may have another subscription at hand than the one that was deployed to.
  const subscription = AZURE_SUBSCRIPTION_ID ? ['--subscription', AZURE_SUBSCRIPTION_ID] : [];
  if (az('account', 'show', ...subscription).status !== 0) {
    console.log('skipped: listing the functions needs the Azure CLI (az), signed in');
  } else {
    // The platform reads them some time after a package was deployed.
    await expectSoon(`${functionNames.length} functions are registered`, async () => {
      const names = ['--query', '[].name', '-o', 'tsv'];
      const app = ['-n', APP_NAME, '-g', AZURE_RESOURCE_GROUP, ...subscription];
      const { status, stdout, stderr } = az('functionapp', 'function', 'list', ...app, ...names);
      if (status !== 0) return `the Azure CLI says: ${stderr.trim()}`;
      // They are listed as APP/FUNCTION.
      const listed = new Set(stdout.split(/\r?\n/).map((line) => line.trim().split('/').at(-1)));
      const missing = functionNames.filter((name) => !listed.has(name));
      return missing.length === 0
        ? undefined
        : `the platform does not list ${missing.join(', ')}. Without any, the package did not start, or a setting is wrong: look at the log stream of the app`;
    });
  }
}

await expectSoon('the app is up', async () => {
  const { status } = await get('/health');
  return status === 200 ? undefined : `/health answered ${status}`;
});
await expectSoon('the interface describes itself', async () => {
  const response = await get('/rest/openapi.json');
  const { paths = {} } = response.ok ? await response.json() : {};
  return Object.keys(paths).length >= 11 ? undefined : `/rest/openapi.json answered ${response.status}`;
});
await expectSoon('the pane is served', async () => {
  const response = await get('/taskpane/taskpane/index.html');
  return response.ok ? undefined : `the pane answered ${response.status}`;
});

if (SMOKE_API_KEY && SMOKE_USERNAME) {
  await expectSoon('tax codes are read with the credential', async () => {
    const response = await get('/rest/listtaxcodes', { ApiKey: SMOKE_API_KEY, Username: SMOKE_USERNAME });
    return response.ok && Array.isArray(await response.json())
      ? undefined
      : `/rest/listtaxcodes answered ${response.status}`;
  });
} else {
  await expectSoon('a request without a credential is refused', async () => {
    const { status } = await get('/rest/listtaxcodes');
    return status === 401 ? undefined : `/rest/listtaxcodes answered ${status} instead of 401`;
  });
  console.log('Set SMOKE_API_KEY and SMOKE_USERNAME to have a list read as well.');
}
