import { type Command, Option } from 'commander';
import { vatRoundings } from '../../../../shared/resources/vatReturn/vatReturn.ts';
import type { Row } from '../sql/schema.ts';
import { euros } from './arguments.ts';

type VatSettings = Partial<Pick<Row<'administration'>, 'vat_rounding' | 'vat_supplement_above' | 'refuses_late'>>;

/** Adds options for the VAT returns of an administration to a command. */
export function addVatOptions(command: Command): void {
  command
    .addOption(new Option('--vat-rounding <how>', 'of whole euros in Dutch returns').choices(vatRoundings))
    .option(
      '--vat-supplement-above <euros>',
      'the VAT above which a correction of a filed return is a supplement; "" for 1000 in the Netherlands, none in Belgium',
      eurosOrNone,
    )
    .addOption(
      new Option(
        '--late-documents <how>',
        'of a period whose return was filed: they count in the next one, or are refused',
      ).choices(['accept', 'refuse']),
    );
}

/** The columns of the options on the command line. */
export function vatSettingsFromOptions(options: Readonly<Record<string, unknown>>): VatSettings {
  const { vatRounding, vatSupplementAbove, lateDocuments } = options;
  return {
    ...(vatRounding === undefined ? {} : { vat_rounding: vatRounding as Row<'administration'>['vat_rounding'] }),
    ...(vatSupplementAbove === undefined ? {} : { vat_supplement_above: vatSupplementAbove as bigint | null }),
    ...(lateDocuments === undefined ? {} : { refuses_late: lateDocuments === 'refuse' ? 1n : 0n }),
  };
}

const eurosOrNone = (text: string): bigint | null => (text.trim() === '' ? null : euros(text));
