import type { Service } from '../../../shared/client/client.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { cents } from '../../../shared/money.ts';
import type { LedgerFigures } from '../../../shared/resources/generalLedger/ledgerFigures.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { wordsFor } from '../connections/connections.ts';
import type { Answers, Books, Question, Table } from './books.ts';

/** The books of an administration, as the app has them. @param service with a credential of the administration */
export const appBooks = (administration: Administration, service: Service): Books => ({
  id: administration.id,
  name: wordsFor(administration),
  async ask(questions, signal): Promise<Answers> {
    const periods = questions.flatMap((question) => (question.kind === 'balances' ? [question] : []));
    const open = questions.flatMap((question) => (question.kind === 'open' ? [question.at] : []));
    return answersIn(questions, await createLedgerClient(service).figures({ periods, open }, signal));
  },
});

function answersIn(questions: readonly Question[], { version, accounts, periods, open }: LedgerFigures): Answers {
  const names = new Map(accounts.map(({ number, name }) => [number, name]));
  const tableOf = (period: LedgerFigures['periods'][number]): Table => {
    if (period.isBackwards) return { kind: 'balances', accounts: undefined };
    const figures = new Map(
      period.figures.map(({ number, debit, credit, closing }) => [
        number,
        { debit: cents(debit), credit: cents(credit), closing: cents(closing) },
      ]),
    );
    const none = { debit: 0n, credit: 0n, closing: 0n };
    // An account without a name may have figures: it was booked on, and is in no chart.
    const numbers = [...names.keys(), ...[...figures.keys()].filter((number) => number !== '' && !names.has(number))];
    return {
      kind: 'balances',
      accounts: numbers.map((number) => ({ number, name: names.get(number) ?? '', ...(figures.get(number) ?? none) })),
    };
  };
  const [tables, amounts] = [periods.values(), open.values()];
  return {
    version,
    tables: questions.map((question): Table => {
      if (question.kind === 'accounts') return { kind: 'accounts', accounts };
      if (question.kind === 'balances') return tableOf(tables.next().value!);
      const relations = amounts.next().value!.relations.map((relation) => ({
        numbers: [relation.customerNumber, relation.supplierNumber].flatMap((number) =>
          number === null ? [] : [String(number)],
        ),
        guid: relation.relationGUID ?? '',
        name: relation.name,
        amount: cents(relation.amount),
      }));
      return { kind: 'open', relations };
    }),
  };
}
