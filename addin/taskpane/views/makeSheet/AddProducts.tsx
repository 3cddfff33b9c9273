import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import type { ProductClient } from '../../../../shared/client/productClient.ts';
import type { ListedProduct } from '../../../../shared/resources/productList.ts';
import type { TableHandle } from '../../../excel/tables/tableMemory.ts';
import { usePane } from '../../paneContext.ts';
import { addProduct } from '../../productSheet/addProduct.ts';
import type { StockMode } from '../../sheetColumns/productTable.ts';
import { explainWait, useJob } from '../../useJob.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { ProductSearch } from './ProductSearch.tsx';

type Props = { handle: TableHandle; client: ProductClient; mode: StockMode };

/** Finds products, and adds them to a product sheet that exists. */
export function AddProducts({ handle, client, mode }: Props) {
  const { messages, language, busy } = usePane();
  const { job, start } = useJob<never, { article: string; number: number; wasThere: boolean }>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const add = (product: ListedProduct, readOn: string | null) =>
    start(async ({ retry }) => {
      const added = await addProduct(handle, product, readOn, mode, messages, retry);
      const article = product.ArticleNumber;
      setPicked((now) => new Set([...now, article]));
      return { article, ...added };
    });
  const waiting = job.state === 'running' ? job.waiting : undefined;
  return (
    <Section card title={messages.search.addTitle}>
      <ProductSearch client={client} picked={picked} isPaused={busy} onPick={add} />
      <Text role="status">
        {job.state === 'done' && messages.search.addedRow(job.result.article, job.result.number, job.result.wasThere)}
      </Text>
      {waiting !== undefined && <Notice intent="info">{explainWait(waiting, messages, language)}</Notice>}
      {job.state === 'failed' && <ErrorNotice error={job.error} onRetry={job.again} />}
    </Section>
  );
}
