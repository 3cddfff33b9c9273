import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseSync } from 'vite';

/* The members of Microsoft's type declarations of Office, with the requirement sets that their comments name. */

/** A node of the syntax tree, with the properties that are read. */
type Node = {
  type: string;
  start: number;
  name?: string;
  id?: Node;
  key?: Node;
  declaration?: Node;
  declarations?: Node[];
  body?: Node | Node[];
  members?: Node[];
  value?: Node | null;
  typeAnnotation?: Node | null;
  returnType?: Node | null;
  typeName?: Node;
  right?: Node;
};

const file = createRequire(import.meta.url).resolve('@microsoft/office-js/dist/office.d.ts');
const source = readFileSync(file, 'utf8');
const { program, comments } = parseSync(file, source);
/** The comments by the position of the code that follows them. */
const commentBefore = new Map(
  comments.map(({ value, end }) => [end + /^\s*/.exec(source.slice(end, end + 100))![0].length, value]),
);

/** A member of a group: the comment before it, and the name of its type, `Range` for `Excel.Range`. */
type Member = { comment: string; leadsTo: string | undefined };

function memberOf({ start, value, typeAnnotation, returnType }: Node): Member {
  const type = (typeAnnotation ?? returnType ?? value?.returnType)?.typeAnnotation;
  return { comment: commentBefore.get(start) ?? '', leadsTo: (type?.typeName?.right ?? type?.typeName)?.name };
}

/**
 * The members of the groups in a namespace, such as its classes; those of the namespace itself under its name.
 * @param kinds the types of nodes that are groups
 */
function membersIn(namespace: string, kinds: readonly string[]): Map<string, Map<string, Member>> {
  const own = new Map<string, Member>();
  const groups = new Map([[namespace, own]]);
  const statements = (program.body as unknown as Node[])
    .filter(({ type, id }) => type === 'TSModuleDeclaration' && id?.name === namespace)
    .flatMap(({ body }) => (body as Node).body as Node[]);
  for (const statement of statements) {
    const declared = statement.declaration ?? statement;
    const { name, typeAnnotation } = (declared.declarations?.[0]?.id ?? declared.id)!;
    const isGroup = kinds.includes(declared.type);
    const { comment, leadsTo } = memberOf({ type: '', start: statement.start, typeAnnotation: typeAnnotation ?? null });
    if (isGroup || !own.has(name!)) own.set(name!, { comment, leadsTo: isGroup ? name : leadsTo });
    if (!isGroup) continue;
    const known = groups.get(name!) ?? new Map<string, Member>();
    groups.set(name!, known);
    const { members, body } = declared.body as Node;
    for (const member of members ?? (body as Node[])) {
      const memberName = (member.key ?? member.id)?.name;
      // The first of several overloads counts.
      if (memberName !== undefined && !known.has(memberName)) known.set(memberName, memberOf(member));
    }
  }
  return groups;
}

/** The members of Excel's classes: the requirement set of each, and the class it leads to. */
export type Classes = ReadonlyMap<string, ReadonlyMap<string, { set: string; leadsTo: string | undefined }>>;

/** The classes of the namespace Excel, and its functions under the name "Excel". */
export function readExcelClasses(): Classes {
  const groups = membersIn('Excel', ['ClassDeclaration']);
  const setIn = (comment = '') => /\[Api set: (\w+ [\w.]+)/.exec(comment)?.[1];
  return new Map(
    [...groups].map(([name, members]) => {
      const setOfClass = setIn(groups.get('Excel')!.get(name)?.comment) ?? 'ExcelApi 1.1';
      const withSet = ({ comment, leadsTo }: Member) => ({ set: setIn(comment) ?? setOfClass, leadsTo });
      return [name, new Map([...members].map(([member, one]) => [member, withSet(one)]))];
    }),
  );
}

const office = membersIn('Office', ['TSInterfaceDeclaration', 'TSEnumDeclaration']);

/**
 * The requirement sets that a comment names, without those of other programs: `DialogApi`, `OpenBrowserWindowApi 1.1`.
 */
const setsIn = (comment: string): string[] =>
  [
    ...comment
      .slice(comment.search(/\*\*Requirement sets?\*\*/))
      .matchAll(/requirement-sets\/(\w+)\/[\w-]+ \| ([\w. ]+)\}/g),
  ]
    .filter(([, program]) => program === 'common' || program === 'excel')
    .map(([, , set]) => set!);

/** The member that a path of names leads to, from `Office` on; undefined when it is not declared. */
export function officeMember(
  path: readonly string[],
): { sets: readonly string[]; leadsTo: string | undefined } | undefined {
  let found: Member | undefined = { comment: '', leadsTo: 'Office' };
  for (const name of path) {
    found = found.leadsTo === undefined ? undefined : office.get(found.leadsTo)?.get(name);
    if (found === undefined) return undefined;
  }
  return { sets: setsIn(found.comment), leadsTo: found.leadsTo };
}
