/** Who can use an application: everybody, or only its members. */
export const MEMBERSHIPS = ['open', 'granted'] as const

export type Membership = (typeof MEMBERSHIPS)[number]
