/** See broadcasts.md#audience-kinds. Listed addresses become recipients immediately. */
export type Audience =
  | { kind: 'emails' }
  | { kind: 'application' }
  | { kind: 'role'; roleCode: string; roleId: number }
  | { kind: 'all' }

export type AudienceRequest =
  | { kind: 'emails'; emails: string[] }
  | { kind: 'application' }
  | { kind: 'role'; roleCode: string }
  | { kind: 'all' }

export const AUDIENCE_KINDS: AudienceRequest['kind'][] = ['emails', 'application', 'role', 'all']
