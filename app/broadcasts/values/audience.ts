/** Whom a broadcast is for (broadcasts.md#audience-kinds), as it is stored: the addresses of a list are recipients right away. */
export type Audience =
  | { kind: 'emails' }
  | { kind: 'application' }
  | { kind: 'role'; roleCode: string; roleId: number }
  | { kind: 'all' }

/** The same as somebody asks for it. */
export type WantedAudience =
  | { kind: 'emails'; emails: string[] }
  | { kind: 'application' }
  | { kind: 'role'; roleCode: string }
  | { kind: 'all' }
