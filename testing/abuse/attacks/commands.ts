import { rmSync } from 'node:fs';
import { createAdministration } from '../../../functions/administrations/builtin/setup/createAdministration.ts';
import type { Attack } from './attack.ts';
import { BUSIEST, fillBooks } from './books.ts';
import { administration, newFolder } from './imports.ts';

/* What the command line does with a large administration, beside imports: archives, anonymises and deletes it. */

export const commandAttacks: readonly Attack[] = [
  {
    name: 'an archive of a whole administration',
    async prepare(target) {
      await fillBooks(target);
      const folder = newFolder();
      return async () => {
        try {
          await administration(target, 'export', `${folder}/archive`, '--administration', `${target.administrationId}`);
          return 'exported';
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      };
    },
  },
  {
    name: 'a relation with most lines that is anonymised',
    async prepare(target) {
      await fillBooks(target);
      return async () => {
        await administration(target, 'anonymise', `${target.administrationId}`, `${BUSIEST}`, '--by', 'guid', '--yes');
        return 'anonymised';
      };
    },
  },
  {
    name: 'an administration of most lines that is deleted',
    async prepare(target) {
      const name = 'Deleted';
      const made = { name, country: 'NL', fiscalYears: [2019], now: 1n, empty: false } as const;
      const administrationId = await createAdministration(target.db, made);
      const books = { ...target, administrationId };
      await fillBooks(books);
      return async () => {
        await administration(target, 'delete', '--administration', `${administrationId}`, '--yes', name);
        return 'deleted';
      };
    },
  },
];
