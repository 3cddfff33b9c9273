import type { VatClient } from '../../../../shared/client/vatClient.ts';
import type { VatReturnResponse } from '../../../../shared/resources/vatReturn/vatReturn.ts';

/** A return as it is, and what can be filed: itself, or a supplement; undefined when it was filed and nothing changed. */
export type Looked = { present: VatReturnResponse; toFile: VatReturnResponse | undefined };

/** Reads a return, rounded as the administration files it, and its supplement if something changed since it was filed. */
export async function lookAtReturn(
  vat: Pick<VatClient, 'vatReturn'>,
  period: string,
  signal?: AbortSignal,
): Promise<Looked> {
  const present = await vat.vatReturn(period, {}, signal);
  if (present.filedOn === null) return { present, toFile: present };
  const isChanged = present.remarks.some(({ code }) => code === 'CORRECTION');
  const toFile = isChanged ? await vat.vatReturn(present.period, { isSupplement: true }, signal) : undefined;
  return { present, toFile };
}
