import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { lighterLog, log } from './010-log.ts';
import { databaseAdministrators } from './011-database-administrators.ts';
import { pageIndexes } from './016-page-indexes.ts';
import { identifiers } from './017-identifiers.ts';
import { searchedProducts } from './019-searched-products.ts';
import { wholeLedger } from './021-whole-ledger.ts';
import { vat } from './022-vat.ts';
import { importedEntries } from './023-imported-entries.ts';
import { assessedTax, bookedTax } from './024-assessed-tax.ts';
import { laterVat } from './025-later-vat.ts';
import { stagedWork } from './026-staged-work.ts';
import { simultaneousChanges } from './029-simultaneous-changes.ts';
import { dueWork } from './030-due-work.ts';
import { accountsByNumber } from './031-accounts-by-number.ts';
import { start } from './early/001-start.ts';
import { documents } from './early/002-documents.ts';
import { relationOrder } from './early/003-relation-order.ts';
import { appliedWrites } from './early/004-applied-writes.ts';
import { vatNumbers } from './early/005-vat-numbers.ts';
import { movesStock } from './early/006-moves-stock.ts';
import { madeDocuments } from './early/007-made-documents.ts';
import { keyLimits } from './early/008-key-limits.ts';
import { archived } from './early/012-archived.ts';
import { bookingDates } from './early/013-booking-dates.ts';
import { currentPdfs } from './early/014-current-pdfs.ts';

/** All migrations, in the order of their names. */
export const migrations = (dialect: SqlDialect): Record<string, Migration> => ({
  '001-start': start(dialect),
  '002-documents': documents(dialect),
  '003-relation-order': relationOrder(dialect),
  '004-applied-writes': appliedWrites(dialect),
  '005-vat-numbers': vatNumbers,
  '006-moves-stock': movesStock(dialect),
  '007-made-documents': madeDocuments(dialect),
  '008-key-limits': keyLimits(dialect),
  '010-log': log(dialect),
  '011-database-administrators': databaseAdministrators(dialect),
  '012-archived': archived(dialect),
  '013-booking-dates': bookingDates(dialect),
  '014-current-pdfs': currentPdfs(dialect),
  '015-log-deletion': changedTriggers,
  '016-page-indexes': pageIndexes(dialect),
  '017-identifiers': identifiers(dialect),
  '018-personal-texts': changedTriggers,
  '019-searched-products': searchedProducts(dialect),
  '020-guarded-changes': changedTriggers,
  '021-whole-ledger': wholeLedger(dialect),
  '022-vat': vat(dialect),
  '023-imported-entries': importedEntries(dialect),
  '024-assessed-tax': assessedTax(dialect),
  '025-later-vat': laterVat(dialect),
  '026-staged-work': stagedWork(dialect),
  '027-booked-tax': bookedTax,
  '028-lighter-log': lighterLog,
  '029-simultaneous-changes': simultaneousChanges(dialect),
  '030-due-work': dueWork(dialect),
  '031-accounts-by-number': accountsByNumber(dialect),
  // The rule has changed: Greek numbers are compared without GR too, and all without "BTW" or "TVA" before them.
  '032-greek-vat-numbers': vatNumbers,
});

/**
 * The migration of a version that changes triggers, which are installed after the migrations: because of its name an
 * older version does not start on the database and install its own again.
 */
const changedTriggers: Migration = { up: async () => {} };
