import { type MongoAbility, createMongoAbility } from '@casl/ability'
import type { Workload } from '../../../world/workload.ts'
import { Assignments, type Engine, permissionsOf } from './engine.ts'

/** An ability per user and application, built once, as an application keeps it in a session. */
export function createCasl(workload: Workload): Engine {
  const assignments = new Assignments(workload)
  const abilities = new Map<string, MongoAbility>()
  return ({ email, app, permission }) => {
    const key = `${email}\n${app}`
    let ability = abilities.get(key)
    if (!ability) {
      const action = assignments.of(email, app).flatMap(permissionsOf)
      ability = createMongoAbility(action.length === 0 ? [] : [{ action, subject: app }])
      abilities.set(key, ability)
    }
    return ability.can(permission, app)
  }
}
