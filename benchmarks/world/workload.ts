import { Random } from './random.ts'

export const APPLICATIONS = 10
export const ROLES_PER_APPLICATION = 5
export const PERMISSIONS_PER_ROLE = 20
/** Also the size of a bulk check: everything an application defines. */
export const PERMISSIONS_PER_APPLICATION = ROLES_PER_APPLICATION * PERMISSIONS_PER_ROLE
const ASSIGNMENTS_PER_USER = 4

/** A question: one user, one application, one permission or many. All by number. */
export interface Question {
  user: number
  app: number
  permissions: number[]
}

export const applicationCode = (app: number) => `app-${app}`
export const roleCode = (role: number) => `role-${role}`
export const permissionCode = (permission: number) => `documents.action-${permission}`
export const emailOf = (user: number) => `user-${user}@acme.example`

/** Half of the permissions are tiered; every role grants its own twenty. */
export const isTiered = (permission: number) => permission % 2 === 1
export const roleOf = (permission: number) => Math.floor(permission / PERMISSIONS_PER_ROLE)

export const everyPermission = [...Array.from({ length: PERMISSIONS_PER_APPLICATION }).keys()]

/** A role of an application. */
export interface Assignment {
  app: number
  role: number
}

/**
 * Who has which roles. The same for the same number of users; a larger workload begins with the
 * users of a smaller one.
 */
export class Workload {
  readonly #assignments: Assignment[][]

  constructor(readonly users: number) {
    const random = new Random(1)
    this.#assignments = Array.from({ length: users }, () => drawAssignments(random))
  }

  get assignments(): number {
    return this.#assignments.reduce((sum, { length }) => sum + length, 0)
  }

  /** Every user with their roles. */
  entries() {
    return this.#assignments.entries()
  }

  /** The codes of the user's roles in the application. */
  roleCodes({ user, app }: Question): string[] {
    return this.#assignments[user]
      .filter((assigned) => assigned.app === app)
      .map(({ role }) => roleCode(role))
  }

  /** The correct results, from the workload itself. */
  answers({ user, app, permissions }: Question): boolean[] {
    const roles = this.#assignments[user].filter((assigned) => assigned.app === app)
    return permissions.map((permission) => roles.some(({ role }) => role === roleOf(permission)))
  }

  /** Distinct questions about one permission each. About half of them are allowed. */
  questions(count: number, seed: number): Question[] {
    const random = new Random(seed)
    const drawn = new Map<string, Question>()
    while (drawn.size < count) {
      const user = random.below(this.users)
      const held = random.pick(this.#assignments[user])
      const wanted = random.below(2) === 0 ? held : drawAssignment(random)
      const permission = wanted.role * PERMISSIONS_PER_ROLE + random.below(PERMISSIONS_PER_ROLE)
      const question = { user, app: wanted.app, permissions: [permission] }
      drawn.set(`${user} ${question.app} ${permission}`, question)
    }
    return [...drawn.values()]
  }

  /** Distinct questions about all permissions of an application, first one with a role. */
  bulkQuestions(count: number): Question[] {
    return Array.from({ length: count }, (_, index) => {
      const user = index % this.users
      const turn = Math.floor(index / this.users)
      const app = (this.#assignments[user][0].app + turn) % APPLICATIONS
      return { user, app, permissions: everyPermission }
    })
  }
}

/** Four draws; the same one twice counts once. */
function drawAssignments(random: Random): Assignment[] {
  const drawn = new Map<number, Assignment>()
  for (let draw = 0; draw < ASSIGNMENTS_PER_USER; draw++) {
    const assignment = drawAssignment(random)
    drawn.set(assignment.app * ROLES_PER_APPLICATION + assignment.role, assignment)
  }
  return [...drawn.values()]
}

function drawAssignment(random: Random): Assignment {
  return { app: random.below(APPLICATIONS), role: random.below(ROLES_PER_APPLICATION) }
}
