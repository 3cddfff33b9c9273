import { functionsOf } from '../../../functions/app.ts';
import { type EndpointName, endpointNames, endpointOf, MEGABYTE, maxBodyOf } from '../../../shared/api.ts';
import { describeSchema } from '../../../shared/openapi.ts';

/** JSON Schema. */
export type Schema = {
  type?: string | string[];
  title?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
};

/** A request that may have a body. */
export type Operation = {
  /** Of its function. */
  name: string;
  method: string;
  /** With something in the place of each parameter. */
  path: string;
  /** Bytes of a body at the most. */
  maxBody: number;
  /** What its body is declared to be; undefined: none is read. */
  schema: Schema | undefined;
  /** Whether it is of the endpoint table. */
  isEndpoint: boolean;
};

const isEndpoint = (name: string): name is EndpointName => (endpointNames as string[]).includes(name);

const { http } = functionsOf(() => Promise.reject(new Error('Nothing is called.')), { pages: '' });

/** Every operation of the app that may have a body: those of the endpoint table, and those beside it. */
export const operations: readonly Operation[] = http
  .filter(({ methods }) => !methods.includes('GET'))
  .map(({ name, methods: [method], route, described }): Operation => {
    const own = described?.().find((one) => one.method === method);
    return {
      name,
      method: method!,
      path: `/${route.replaceAll(/\{\w+\}/g, '1.pdf')}`,
      maxBody: isEndpoint(name) ? maxBodyOf(name) : (own?.maxBody ?? 16 * MEGABYTE),
      schema: (isEndpoint(name) ? describeSchema(endpointOf(name).request) : own?.body) as Schema | undefined,
      isEndpoint: isEndpoint(name),
    };
  });
