/**
 * Whether a storage service responded with one of these statuses: 404 does not exist, 409 exists already or is leased,
 * 412 was changed since.
 */
export const hasStatus = (failure: unknown, ...statuses: number[]): boolean =>
  statuses.includes(Number((failure as { statusCode?: unknown } | null)?.statusCode));

/** The error code in the response of a storage service; "" without one. */
export function codeOf(failure: unknown): string {
  const { code, details } = Object(failure) as { code?: string; details?: Record<string, unknown> };
  const { code: inTable } = Object(details?.odataError) as { code?: string };
  return inTable ?? (details?.errorCode as string | undefined) ?? code ?? '';
}

/** For `catch`: nothing, when a storage service responded with one of these statuses. */
export const unless =
  (...statuses: number[]) =>
  (failure: unknown): undefined => {
    if (!hasStatus(failure, ...statuses)) throw failure;
  };

/**
 * Why a storage service cannot be used, in a sentence; undefined for other failures. It could not be reached, was busy
 * or failed: the clients have tried several times by then. Or the identity of the app is not let in.
 */
export function unavailability(failure: unknown): string | undefined {
  const { name, statusCode } = Object(failure) as { name?: unknown; statusCode?: unknown };
  const isResponse = name === 'RestError';
  if ((isResponse && hasStatus(failure, 401, 403)) || /Authentication|CredentialUnavailable/.test(String(name))) {
    return `The storage account refuses the app (${codeOf(failure) || name}).`;
  }
  // Without a status no response came.
  const isUnreachable = statusCode === undefined || hasStatus(failure, 408, 429, 500, 502, 503, 504);
  return isResponse && isUnreachable ? 'The storage account cannot be reached at the moment.' : undefined;
}
