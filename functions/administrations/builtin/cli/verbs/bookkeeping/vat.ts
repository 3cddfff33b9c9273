import { open, rm } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { centsText, DECIMAL_SCALE, decimalText } from '../../../../../../shared/money.ts';
import { vatRemarkText } from '../../../../../../shared/resources/vatReturn/vatRemark.ts';
import { vatRemarkTexts } from '../../../../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import { vatRoundings } from '../../../../../../shared/resources/vatReturn/vatReturn.ts';
import { writingTo } from '../../../files/commandError.ts';
import { csvLine } from '../../../files/csvLine.ts';
import { byCommand } from '../../../sql/logWriting/author.ts';
import { writingIn } from '../../../sql/transaction.ts';
import { vatRulesOf } from '../../../vat/administrationRules.ts';
import { figuresOf, fileReturn } from '../../../vat/filedReturns.ts';
import { intervatReturn } from '../../../vat/intervat.ts';
import { formBoxes, vatTotals } from '../../../vat/vatBoxes.ts';
import { vatPaper } from '../../../vat/vatPaper.ts';
import { readVatPeriod, type VatPeriod } from '../../../vat/vatPeriod.ts';
import { requireFiled, requireVersion, versionOf } from '../../../vat/vatReader.ts';
import type { VatReturn, VatRounding } from '../../../vat/vatReturn.ts';
import { euros } from '../../arguments.ts';
import { COMMAND, type CommandContext, requireWritable } from '../../context.ts';

type Options = {
  period: VatPeriod;
  out?: string;
  xml?: string;
  refund?: boolean;
  clients: boolean;
  rounding?: VatRounding;
  filed?: boolean;
  supplementAbove?: bigint;
  supplement?: boolean;
};

/** `vat` and `vat-rules`: the VAT return of a period, and the boxes that its tax codes go in. */
export function addVat(program: Command, { say, seconds, dayOf, withNamed }: CommandContext): void {
  program
    .command('vat')
    .description(
      'Show the boxes of the VAT return of a period, and write its working paper: boxes, lines, listings and remarks. Have the boxes of the tax codes confirmed by a tax adviser.',
    )
    .argument('<administration>', 'its number or its name')
    .requiredOption('--period <period>', 'such as 2026-Q3, 2026-07 or 2026', period)
    .option('--out <file>', 'the workbook to write; left out: vat-ADMINISTRATION-PERIOD.xlsx')
    .option('--xml <file>', 'also write the Belgian return as a file for Intervat')
    .option('--refund', 'ask in that file that a balance in box 72 be paid out')
    .option('--no-clients', 'say in that file, the last of a year, that no customer is in the yearly client listing')
    .addOption(new Option('--rounding <how>', 'of whole euros in the Netherlands').choices(vatRoundings))
    .option('--supplement-above <euros>', 'the VAT above which a correction is a supplement; else as it is set', euros)
    .option('--supplement', 'with what was entered or changed after it was filed')
    .option('--filed', 'note that the return, or the supplement, was filed with these figures')
    .action((named: string, options: Options) =>
      withNamed(named, async (db, administration) => {
        const { supplement: isSupplement = false } = options;
        const version = options.filed === true ? await versionOf(db, administration.id) : undefined;
        const { paper, filed } = await vatPaper(db, administration, options.period, { ...options, isSupplement });
        const { found, remarks } = paper;
        const xml =
          options.xml &&
          intervatReturn(found, administration, options.period, {
            refund: options.refund,
            noClients: !options.clients,
          });
        for (const line of boxLines(found)) say(line);
        for (const remark of remarks) say(`! ${vatRemarkText(remark, vatRemarkTexts)}`);
        if (filed !== undefined) say(`This return was filed on ${dayOf(filed.filed_on)}.`);
        const file = options.out ?? `vat-${administration.id}-${options.period.name}.xlsx`;
        // Its library is large: only this verb loads it.
        const { vatWorkbook } = await import('../../../vat/vatWorkbook.ts');
        await writeNew(file, await vatWorkbook(paper));
        say(`The working paper is in ${file}.`);
        if (options.xml && xml) {
          await writeNew(options.xml, xml);
          say(`The file for Intervat is in ${options.xml}. Intervat itself has not checked it.`);
        }
        if (version === undefined) return;
        requireWritable(administration);
        requireFiled(filed, options.period, isSupplement);
        const now = seconds();
        const by = { administrationId: administration.id, author: byCommand('vat'), now, unlessArchived: true };
        await writingIn(db, by, async (trx) => {
          await requireVersion(trx, administration.id, version);
          await fileReturn(trx, administration.id, options.period, figuresOf(found), now);
        });
        say(`Filed: what is entered from now on counts in the next return.`);
      }),
    );

  program
    .command('vat-rules')
    .description(
      `Show in which boxes of the VAT return each tax code goes, as CSV that \`${COMMAND} import vat-rules\` reads.`,
    )
    .argument('<administration>', 'its number or its name')
    .action((named: string) =>
      withNamed(named, async (db, administration) => {
        const percentage = (value: bigint) => decimalText(value, DECIMAL_SCALE);
        const headings = ['TaxType', 'TaxCode', 'Document', 'BaseBoxes', 'OwedBoxes', 'DeductibleBoxes'];
        say(csvLine([...headings, 'SelfAssessedPc', 'DeductiblePc', 'Listing', 'Doubt']).trimEnd());
        for (const rule of await vatRulesOf(db, administration)) {
          const { taxType, taxCode, document, base, owed, deductible, selfAssessed, share, listing, doubt } = rule;
          const cells = [taxType, taxCode, document, base, owed, deductible, percentage(selfAssessed)];
          say(csvLine([...cells, percentage(share), listing, doubt]).trimEnd());
        }
      }),
    );
}

function period(text: string): VatPeriod {
  const found = readVatPeriod(text);
  if (found === undefined) throw new InvalidArgumentError('Expected a period, such as 2026-Q3, 2026-07 or 2026.');
  return found;
}

/** A line for each box that is not zero, and for the sums. */
function* boxLines({ country, boxes }: VatReturn): Generator<string> {
  const totals = vatTotals[country];
  for (const { box, name } of formBoxes[country]) {
    const amounts = boxes.get(box)!;
    const parts = Object.entries(amounts).map(([part, { declared }]) => `${part} ${centsText(declared)}`);
    const isShown = Object.values(amounts).some(({ exact }) => exact !== 0n) || totals.some((one) => one.box === box);
    if (isShown) yield [box, name, ...parts].join('\t');
  }
}

/** Writes a file that is not there yet. @throws CommandError when it cannot be written; nothing of it is left then */
async function writeNew(file: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await writingTo(file, handle.writeFile(content));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
