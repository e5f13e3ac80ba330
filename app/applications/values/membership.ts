/** Whom an application is for: everybody, or those who hold a role, an override or its administration. */
export const MEMBERSHIPS = ['open', 'granted'] as const

export type Membership = (typeof MEMBERSHIPS)[number]
