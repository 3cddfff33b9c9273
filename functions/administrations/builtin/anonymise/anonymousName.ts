/** The name of an anonymised relation, unique by its RelationGUID. */
export const anonymousName = (guid: bigint): string => `Anonymous ${guid}`;
