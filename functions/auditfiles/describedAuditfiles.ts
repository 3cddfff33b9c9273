import { describeSchema, type OwnOperation } from '../../shared/openapi.ts';
import {
  AUDITFILE_PART_BYTES,
  auditfileChoices,
  auditfileList,
  auditfileResponse,
  newAuditfile,
} from '../../shared/resources/generalLedger/auditfile.ts';

const response = () => ({ 'application/json': describeSchema(auditfileResponse) });

const post = (path: string, summary: string, more: Partial<OwnOperation> = {}): OwnOperation => ({
  path,
  method: 'POST',
  summary,
  response: response(),
  ...more,
});

/** How the OpenAPI document describes the functions of audit files. */
export const describedAuditfiles = {
  receive: (): OwnOperation =>
    post('/auditfiles', 'Begin to send an audit file, which is brought in when it was checked', {
      body: describeSchema(newAuditfile),
      status: 201,
    }),
  list: (): OwnOperation => ({
    path: '/auditfiles',
    method: 'GET',
    summary: 'The audit files that were brought in or are being, the latest first',
    response: { 'application/json': describeSchema(auditfileList) },
  }),
  state: (): OwnOperation => ({
    path: '/auditfiles/{id}',
    method: 'GET',
    summary: 'An audit file: the parts that were received, the progress, and what it holds',
    response: response(),
  }),
  receivePart: (): OwnOperation =>
    post(
      '/auditfiles/{id}/parts/{part}',
      `A part of an audit file: ${AUDITFILE_PART_BYTES} bytes of it, in the last part the rest, compressed as gzip`,
      { bodyType: 'application/gzip', body: {} },
    ),
  check: (): OwnOperation =>
    post('/auditfiles/{id}/check', 'Say in the background what an audit file holds; nothing is changed', {
      status: 202,
    }),
  import: (): OwnOperation =>
    post('/auditfiles/{id}/import', 'Import an audit file in the background, whole or not at all', {
      body: describeSchema(auditfileChoices),
      status: 202,
    }),
  withdraw: (): OwnOperation =>
    post('/auditfiles/{id}/withdraw', 'Remove in the background what audit files brought into the year of this one', {
      status: 202,
    }),
  cancel: (): OwnOperation =>
    post('/auditfiles/{id}/cancel', 'Cancel the check, the import or the withdrawal of an audit file', { status: 202 }),
  erase: (): OwnOperation =>
    post('/auditfiles/{id}/erase', 'Erase an audit file that was not imported, and what is known of it', {
      response: { 'application/json': { type: 'object' } },
    }),
};
