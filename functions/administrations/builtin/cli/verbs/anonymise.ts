import { type Command, Option } from 'commander';
import { anonymiseRelation } from '../../anonymise/anonymiseRelation.ts';
import { anonymousName } from '../../anonymise/anonymousName.ts';
import { findRelation, type RelationNumber, relationNumbers } from '../../anonymise/findRelation.ts';
import { documentsOf } from '../../anonymise/relationDocuments.ts';
import { retainedInvoices } from '../../anonymise/retention.ts';
import { CommandError } from '../../files/commandError.ts';
import type { Database } from '../../sql/database.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

type Options = { by?: RelationNumber; yes?: true; despiteRetention?: true };

export function addAnonymise(program: Command, { say, seconds, today, confirm, withNamed }: CommandContext): void {
  program
    .command('anonymise')
    .description(
      'Remove the personal data of a relation for good, from itself and from its documents; the books stay as they are.',
    )
    .argument('<administration>', 'its id or its name')
    .argument('<relation>', 'its RelationGUID, customer number or supplier number', id)
    .addOption(new Option('--by <number>', 'which of these the number is').choices(Object.keys(relationNumbers)))
    .option('--yes', 'do it without asking')
    .option('--despite-retention', 'also while the law asks for its invoices with name and address')
    .action((name: string, number: bigint, { by, yes, despiteRetention }: Options) =>
      withNamed(name, async (db, administration) => {
        const relation = await findRelation(db, { administrationId: administration.id, number, by });
        const { guid } = relation;
        const retention = async (at: Database): Promise<string | undefined> => {
          const retained = await retainedInvoices(at, administration, relation.id, today());
          if (retained === undefined) return undefined;
          const sentence = `The law asks for ${retained.invoices} invoices of this relation with its name and address until ${retained.until}.`;
          if (despiteRetention === true) return sentence;
          throw new CommandError(`${sentence} --despite-retention does it all the same.`);
        };
        const sentence = await retention(db);
        if (sentence !== undefined) say(sentence);
        say(`Relation ${guid}, ${relation.name}, becomes ${anonymousName(guid)}. This cannot be undone.`);
        for (const line of await consequences(db, relation.id)) say(line);
        await confirm('Anonymise this relation?', yes);
        // Invoices may have been made since, while the question was open.
        await anonymiseRelation(db, relation, seconds, retention);
        say(`Relation ${guid} is anonymised. Exports and archives made before still have its data: docs/privacy.md.`);
      }),
    );
}

/** The consequences for the documents of a relation. */
async function consequences(db: Database, relationId: bigint): Promise<string[]> {
  const { invoices, orders, purchases, templates, projects } = documentsOf(db, relationId);
  const count = async (ids: typeof invoices | typeof projects) => (await ids.execute()).length;
  return [
    `Sales invoices without its name, address and texts: ${await count(invoices)}`,
    `Orders, likewise: ${await count(orders)}`,
    `Purchase invoices, likewise: ${await count(purchases)}`,
    `Projects whose texts are searched for it: ${await count(projects)}`,
    `Periodic invoices that end: ${await count(templates)}`,
    'Of all of them, attachments, PDFs and mails are removed.',
  ];
}
