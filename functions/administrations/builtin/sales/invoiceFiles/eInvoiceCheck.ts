import { setImmediate as otherWork } from 'node:timers/promises';
import type { FieldError } from '../../../../../shared/fieldErrors.ts';
import { Problem } from '../../../../../shared/problem.ts';
import type { AddressInput } from '../../../../../shared/resources/document.ts';
import type { SalesInvoiceAddition } from '../../../../../shared/resources/salesInvoice.ts';
import { eInvoiceErrors } from '../../../invoiceDocuments/eInvoice/eInvoice.ts';
import { findReferences } from '../../documentParts/references.ts';
import { addressesIn, type DocumentAddress } from '../../relations/addresses.ts';
import type { EndpointContext } from '../../sql/endpointContext.ts';
import type { Row } from '../../sql/schema.ts';
import { readSalesInvoice } from '../readSalesInvoice.ts';
import { creditedNumbers, invoiceDocument } from './invoiceDocuments.ts';

/**
 * Why each of some requested invoices could not become an e-invoice, by the rules that e-invoices obey. None for one to a
 * private person, and for one that is refused anyway. Nothing is stored.
 */
export async function checkEInvoices(
  context: EndpointContext,
  requests: readonly SalesInvoiceAddition[],
): Promise<(readonly FieldError[])[]> {
  const inputs = requests.map(({ Invoice_Address, Invoice_InvoiceLine: lines, ...request }) => ({
    module: 'INVOICING' as const,
    // Reading a supplied address would add it to the relation.
    request: { ...request, AddAsDraft: false },
    lines,
    addresses: Invoice_Address ?? [],
  }));
  const references = await findReferences(context, 'Customer', inputs);
  const units = new Map<bigint, string>();
  const found = [];
  for (const input of inputs) {
    await otherWork();
    const read = await readSalesInvoice(context, references, input, () => {});
    for (const { product } of read?.sold ?? []) units.set(product.id, product.unit);
    found.push(read);
  }
  const credits = found.flatMap((read, index) =>
    read === undefined ? [] : { ...read.row, id: BigInt(index), number: 0n, relation_id: read.relation.id },
  );
  const credited = await creditedNumbers(context, credits);
  const taxCodes = new Map(references.taxCodes.map((code) => [code.id, code]));
  return found.map((read, index) => {
    if (read === undefined || read.relation.is_business !== 1n) return [];
    const { row, relation, project } = read;
    const addresses = addressesOf(relation, inputs[index]!.addresses);
    if (addresses === undefined) return [];
    const document = invoiceDocument(context.administration, {
      invoice: {
        ...relation,
        ...row,
        number: 0n,
        ogm: '',
        project_name: project?.name ?? null,
        project_number: project?.number ?? null,
      },
      lines: read.lines.map((line) => {
        const { tax_exempt = null, vat_category = null } = taxCodes.get(line.tax_code_id ?? 0n) ?? {};
        return { ...line, unit: units.get(line.product_id ?? 0n) ?? null, tax_exempt, vat_category };
      }),
      addresses,
      contacts: read.contacts,
      credited: credited.get(BigInt(index)),
    });
    return eInvoiceErrors(document);
  });
}

/** The addresses of an invoice; undefined when those of its request are refused. */
function addressesOf(relation: Row<'relation'>, inputs: readonly AddressInput[]): DocumentAddress[] | undefined {
  try {
    return addressesIn(relation, inputs, 'Invoice_Address').addresses;
  } catch (refusal) {
    if (refusal instanceof Problem) return undefined;
    throw refusal;
  }
}
