import { type FieldError, type Found, found } from '../../../../shared/fieldErrors.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { bookingDates } from '../ledger/bookingDates.ts';
import { knownAccounts } from '../ledger/ledgerAccounts.ts';
import { taxCodesOf } from '../ledger/taxCodes.ts';
import { findProjects } from '../projects/project.ts';
import { findParties, mainContacts, type PartyInput, type Role } from '../relations/party.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';
import { findArticles } from './articleLines.ts';

/** The references of a document in a request. */
type DocumentInput<Of extends Role> = {
  request: PartyInput<Of> & { InvoiceProject?: string | undefined; SelectProjectBy?: 'NAME' | 'NUMBER' | undefined };
  lines: readonly {
    ProductNumber?: string | undefined;
    ProductEAN?: string | undefined;
    IsTextLine?: boolean;
    LedgerAccountNumber?: string | undefined;
  }[];
  /** The relation, if it is known already. */
  party?: Row<'relation'> | undefined;
};

/** The rows that documents refer to. */
export type References<Of extends Role> = Awaited<ReturnType<typeof findReferences<Of>>>;

/** Finds the rows that documents refer to: the same few queries for one document and for hundreds. */
export async function findReferences<Of extends Role>(
  context: EndpointContext,
  role: Of,
  documents: readonly DocumentInput<NoInfer<Of>>[],
) {
  const side: TaxType = role === 'Customer' ? 'Sales' : 'Purchase';
  const lines = documents.flatMap((document) => document.lines);
  const byName = await findParties(
    context,
    role,
    documents.flatMap(({ request, party }) => (party === undefined ? request : [])),
  );
  const party = ({ request, party }: DocumentInput<Of>): Found<Row<'relation'>> =>
    party === undefined ? byName(request) : found(party);
  const contacts = await mainContacts(
    context,
    documents.map(party).flatMap((one) => (one.kind === 'found' ? one.value.id : [])),
  );
  return {
    administration: context.administration,
    dateErrors: await bookingDates(context),
    party,
    /** The contact that documents of a relation are addressed to. */
    contact: (relationId: bigint) => contacts.get(relationId),
    article: await findArticles(context, lines),
    side,
    taxCodes: await taxCodesOf(context, side),
    accounts: await knownAccounts(context, lines),
    project: await findProjects(
      context,
      documents.map(({ request }) => request),
    ),
  };
}

/** Takes a refusal of a document: throws it, or collects it. */
export type Refuse = (errors: readonly FieldError[]) => void;

/** @throws Problem INVALID_REQUEST when there are any */
export const throwAll: Refuse = (errors) => {
  if (errors.length > 0) throw refuseFields(errors);
};

/** Checks a document that may have several refusals, so that a caller sees all of them. */
export function collectRefusals(refuse: Refuse) {
  let isRefused = false;
  const check: Refuse = (errors) => {
    isRefused ||= errors.length > 0;
    refuse(errors);
  };
  return {
    check,
    /** The value; undefined when there is none, which is refused. */
    accepted<Value>(one: Found<Value>): Value | undefined {
      if (one.kind === 'found') return one.value;
      check([one.reason]);
      return undefined;
    },
    isRefused: () => isRefused,
  };
}
