import { defineProblem } from '#core/exceptions/problem'

export const ApplicationNotFound = defineProblem(
  'APPLICATION_NOT_FOUND',
  404,
  'Application not found'
)
export const ApplicationExists = defineProblem(
  'APPLICATION_EXISTS',
  409,
  'An application with this code already exists'
)
export const ReservedCode = defineProblem(
  'RESERVED_CODE',
  400,
  'The code is reserved',
  'Choose another code. `details.reserved` lists the reserved ones.'
)
export const TooManyApplications = defineProblem(
  'TOO_MANY_APPLICATIONS',
  409,
  'The platform has reached its maximum number of applications',
  'Delete applications that are no longer used.'
)
export const ApplicationProtected = defineProblem(
  'APPLICATION_PROTECTED',
  409,
  'The service depends on this application, so it cannot be deleted'
)
export const PanelProtected = defineProblem(
  'PANEL_PROTECTED',
  409,
  'The admin panel depends on this, so it cannot be changed or deleted',
  'You can change names and descriptions, and add your own permissions, roles and entities.'
)
export const EntityNotFound = defineProblem('ENTITY_NOT_FOUND', 404, 'Entity not found')
export const EntityExists = defineProblem(
  'ENTITY_EXISTS',
  409,
  'The application already has an entity with this code'
)
export const TooManyEntities = defineProblem(
  'TOO_MANY_ENTITIES',
  409,
  'The application has reached its maximum number of entities',
  'Delete entities that are no longer used. An entity is a type of resource, not one resource.'
)
export const EntityInUse = defineProblem(
  'ENTITY_IN_USE',
  409,
  'Assignments use this entity, so it cannot be deleted and its code cannot change',
  'Remove the assignments first. `details.assignments` is their number.'
)
export const TooManyResources = defineProblem(
  'TOO_MANY_RESOURCES',
  409,
  'The entity has reached its maximum number of catalogued resources',
  'Delete resources that no longer exist.'
)
export const EntityOriginNotAllowed = defineProblem(
  'ENTITY_ORIGIN_NOT_ALLOWED',
  400,
  'The origin of this listEndpoint is not allowed',
  'Ask the operator of the service to add the origin to `ENTITY_ALLOWED_ORIGINS`.'
)
export const EntityEndpointUnreachable = defineProblem(
  'ENTITY_ENDPOINT_UNREACHABLE',
  502,
  'The listEndpoint of this entity returned no usable response',
  'Check that the `listEndpoint` of the application works. `details.reason` says what went wrong.'
)
export const EntityHasNoEndpoint = defineProblem(
  'ENTITY_HAS_NO_ENDPOINT',
  409,
  'The entity has no listEndpoint'
)
export const KeyNotFound = defineProblem('KEY_NOT_FOUND', 404, 'Key not found')
export const TooManyKeys = defineProblem(
  'TOO_MANY_KEYS',
  409,
  'The application has reached its maximum number of keys',
  'Delete keys that are no longer used. `lastUsedAt` shows when a key was last used.'
)
export const InstanceNotFound = defineProblem('INSTANCE_NOT_FOUND', 404, 'Instance not found')
export const TooManyInstances = defineProblem(
  'TOO_MANY_INSTANCES',
  409,
  'The application has reached its maximum number of instances',
  'Delete instances that are no longer used.'
)
export const InstanceChanged = defineProblem(
  'INSTANCE_CHANGED',
  409,
  'The URLs of the instance have changed since they were reviewed',
  'Get the instance again, and approve its current URLs if you trust them.'
)
export const InstanceExists = defineProblem(
  'INSTANCE_EXISTS',
  409,
  'The application already has an instance with this name'
)
