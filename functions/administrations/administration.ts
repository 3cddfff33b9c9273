import type { AnswerOf, EndpointName, RequestOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client.ts';
import type { Encoded } from '../../shared/wire/encode.ts';

/** What answers the endpoints for one credential. Every method throws a Problem for what a caller can be told. */
export type Administration = {
  readonly [Name in EndpointName]: (request: RequestOf<Name>) => Promise<AnswerOf<Name> | Encoded<AnswerOf<Name>>>;
};

/** The administrations behind the functions: ours, or a service elsewhere. */
export type Administrations = {
  /**
   * The administration a credential belongs to.
   * @throws Problem UNAUTHORIZED
   */
  open(credential: Credential): Promise<Administration>;
  /** What `/health` says of them; throws when they cannot be reached. */
  health(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};
