import { type CalendarDate, dateIn } from '../../../../shared/wire/calendarDate.ts';
import { readSettings } from '../../../settings.ts';
import { CommandError, reasonOf } from '../files/commandError.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import type { Row, Seconds } from '../sql/schema.ts';

/** A command that deletes or anonymises has few statements, each as long as the books; who waits for it can stop it. */
const STATEMENT_MINUTES = 240;

/** What is typed before a verb. */
export const COMMAND = 'npm run administration --';

/** A text on one line: what would begin another line, or a terminal would carry out, is written as `\u000a`. */
export const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The output of a command, its variables and its clock. */
export type CommandIO = {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  complain: (line: string) => void;
  now: () => Date;
  /** Shows a line in the place of the one before; left out: no progress is shown. */
  show?: (line: string) => void;
  /** Begins to listen: the signal is aborted when the person stops the command. Left out: nobody can. */
  interruption?: () => AbortSignal;
  /** Asks a question in the terminal, and returns the response; left out without a terminal. */
  ask?: (question: string) => Promise<string>;
};

/** What a verb of the command line depends on. */
export type CommandContext = CommandIO & {
  /** The time in seconds since 1970. */
  seconds: () => Seconds;
  /** The day of a moment in the time zone of the administrations. */
  dayOf: (moment: Seconds) => CalendarDate;
  today: () => CalendarDate;
  /**
   * Asks for confirmation.
   * @param yes whether the command line has it already
   * @throws CommandError when the response is not yes, or there is no terminal
   */
  confirm: (question: string, yes: boolean | undefined) => Promise<void>;
  /** Opens the database for some work, and closes it afterwards. */
  withDatabase: (work: (db: Database) => Promise<void>) => Promise<void>;
  /**
   * Opens the database for work on an administration.
   * @throws CommandError when there is none with that id
   */
  withAdministration: (
    id: bigint,
    work: (db: Database, administration: Row<'administration'>) => Promise<void>,
  ) => Promise<void>;
  /**
   * Opens the database for work that changes an administration.
   * @throws CommandError when it is archived
   */
  withWritable: CommandContext['withAdministration'];
  /**
   * Opens the database for work on an administration that is given by its id or, without regard to case, its name.
   * @throws CommandError when there is none, or several have that name
   */
  withNamed: (
    idOrName: string,
    work: (db: Database, administration: Row<'administration'>) => Promise<void>,
  ) => Promise<void>;
};

/** @throws CommandError when an administration is archived */
export function requireWritable({ id, archived_on }: Row<'administration'>): void {
  if (archived_on === null) return;
  throw new CommandError(`Administration ${id} is archived. See: ${COMMAND} unarchive --help`);
}

export function commandContext(io: CommandIO): CommandContext {
  const withDatabase: CommandContext['withDatabase'] = async (work) => {
    const db = await openedDatabase(readSettings(io.env).databaseUrl);
    try {
      await work(db);
    } catch (error) {
      if (!(error instanceof Error && dialectOf(db).errors.isTransient(error))) throw error;
      throw new CommandError(
        `The database failed: ${reasonOf(error)}. Changes may have been made: look before you repeat the command.`,
      );
    } finally {
      await db.destroy();
    }
  };
  const withAdministration: CommandContext['withAdministration'] = (id, work) =>
    withDatabase(async (db) => {
      const found = await db.selectFrom('administration').where('id', '=', id).selectAll().executeTakeFirst();
      if (found === undefined) throw new CommandError(`There is no administration ${id}. See: ${COMMAND} list`);
      await work(db, found);
    });
  const seconds = () => BigInt(Math.floor(io.now().getTime() / 1000));
  const dayOf = (moment: Seconds) => dateIn(readSettings(io.env).timeZone, new Date(Number(moment) * 1000));
  return {
    ...io,
    seconds,
    dayOf,
    today: () => dayOf(seconds()),
    async confirm(question, yes) {
      if (yes === true) return;
      if (io.ask === undefined) throw new CommandError('Nothing was changed: expected --yes.');
      const answer = (await io.ask(`${question} [yes/no] `)).trim().toLowerCase();
      if (answer !== 'yes' && answer !== 'y') throw new CommandError('Nothing was changed.');
    },
    withDatabase,
    withAdministration,
    withWritable: (id, work) =>
      withAdministration(id, async (db, administration) => {
        requireWritable(administration);
        await work(db, administration);
      }),
    withNamed: (idOrName, work) =>
      withDatabase(async (db) => {
        const all = await db.selectFrom('administration').orderBy('id').selectAll().execute();
        const byId = all.filter(({ id }) => String(id) === idOrName);
        const found = byId.length > 0 ? byId : all.filter(({ name }) => folded(name) === folded(idOrName));
        if (found.length === 1) return work(db, found[0]!);
        const ids = found.map(({ id }) => id).join(', ');
        throw new CommandError(
          found.length === 0
            ? `There is no administration ${idOrName}. See: ${COMMAND} list`
            : `Administrations ${ids} are all called ${idOrName}: expected the id of one.`,
        );
      }),
  };
}

/** @throws CommandError that names the database, without its password, when it cannot be opened */
async function openedDatabase(url: string): Promise<Database> {
  try {
    return await openDatabase(url, STATEMENT_MINUTES);
  } catch (error) {
    // A password may have an @ of its own: the last one of them ends it.
    const shown = url.startsWith('sqlite:') ? url : url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*/, '');
    throw new CommandError(`The database ${shown} cannot be opened: ${reasonOf(error)}`);
  }
}
