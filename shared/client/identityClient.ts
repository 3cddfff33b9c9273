import { type AdministrationIdentity, administrationIdentity } from '../resources/administration.ts';
import { ask, type Service } from './client.ts';

/**
 * The administration that the credential of a service opens.
 * @throws Problem UNAUTHORIZED, and those of a request to a remote service; Unreachable
 */
export const readIdentity = (service: Service, signal?: AbortSignal): Promise<AdministrationIdentity> =>
  ask(service, { method: 'GET', target: '/administration', signal }, administrationIdentity);
