import { Text } from '@fluentui/react-text';
import type { ReactNode } from 'react';
import type { AuditfileReport } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { formatDay, formatDecimal } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { Notice } from '../Notice.tsx';

/** Problems, warnings and differences that are shown. */
const MAX_SHOWN = 20;

/** What an audit file holds, and what importing it changes; `isDone`: has changed. */
export function ReportOfFile({ report, isDone }: { report: AuditfileReport; isDone: boolean }) {
  const { language, messages } = usePane();
  const texts = messages.auditfiles;
  const amount = (text: string) => formatDecimal(language, text, 2);
  const { company, openingBalance, transactions, entries } = report;
  const totalText = (total: AuditfileReport['transactions']) =>
    total === null ? texts.none : texts.total(Number(total.lines), amount(total.debit), amount(total.credit));
  const facts: [string, string][] = [
    [texts.company, [company.name, company.taxNumber].filter((text) => text !== '').join(' · ')],
    [texts.software, report.software],
    [
      texts.year,
      report.fiscalYear === 0
        ? ''
        : texts.period(formatDay(language, report.firstDay), formatDay(language, report.lastDay)),
    ],
    [texts.accounts, texts.rowCounts(report.accounts)],
    [texts.relations, texts.rowCounts(report.relations)],
    [texts.taxCodes, texts.rowCounts(report.taxCodes)],
    [texts.openingBalance, totalText(openingBalance)],
    [texts.transactions, totalText(transactions)],
    [texts.entries, texts.entryCounts(entries)],
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== '' && [
              <dt key={`${name} name`} className="muted">
                {name}
              </dt>,
              <dd key={name}>{value}</dd>,
            ],
        )}
      </dl>
      {report.problemCount > 0 && (
        <Notice intent="error">
          {texts.refused(report.problemCount)}
          <Lines
            count={report.problemCount}
            lines={report.problems.map(({ line, element, message }) => texts.problem(line, element, message))}
          />
        </Notice>
      )}
      {report.warnings.length > 0 && (
        <Notice intent="warning">
          {texts.warned(report.warnings.length)}
          <Lines count={report.warnings.length} lines={report.warnings} />
        </Notice>
      )}
      {report.replaces && !isDone && (
        <Notice intent="warning">
          {texts.differs(entries.added, entries.removed)}
          <Lines count={report.differences.length} lines={report.differences} />
        </Notice>
      )}
    </>
  );
}

/** The first of some lines, which come from the file, as text. */
function Lines({ count, lines }: { count: number; lines: readonly string[] }): ReactNode {
  const { messages } = usePane();
  const shown = lines.slice(0, MAX_SHOWN);
  return (
    <ul className="bullets">
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same, and their order does not change
        <li key={index}>
          <Text size={200}>{line}</Text>
        </li>
      ))}
      {count > shown.length && <li>{messages.auditfiles.more(count - shown.length)}</li>}
    </ul>
  );
}
