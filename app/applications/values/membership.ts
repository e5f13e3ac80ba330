/** Who can use an application: everyone (`open`), or only its members (`granted`). */
export const MEMBERSHIPS = ['open', 'granted'] as const

export type Membership = (typeof MEMBERSHIPS)[number]
