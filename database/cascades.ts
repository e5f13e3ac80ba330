/**
 * What the database deletes with a row: for each table, the tables whose rows refer to it and the
 * column that does. A test compares it with the foreign keys.
 */
export const CASCADES: Record<string, Record<string, string>> = {
  applications: {
    roles: 'application_id',
    permissions: 'application_id',
    application_admins: 'application_id',
    entities: 'application_id',
    instances: 'application_id',
    application_keys: 'application_id',
    application_brands: 'application_id',
    organisation_applications: 'application_id',
    application_preferences: 'application_id',
    notification_types: 'application_id',
    check_counts: 'application_id',
    webhooks: 'application_id',
  },
  webhooks: { webhook_deliveries: 'webhook_id' },
  entities: { resources: 'entity_id' },
  roles: { role_permissions: 'role_id', user_roles: 'role_id' },
  permissions: { role_permissions: 'permission_id', resource_overrides: 'permission_id' },
  notification_types: {
    notification_templates: 'notification_type_id',
    notification_preferences: 'notification_type_id',
    notification_type_samples: 'notification_type_id',
  },
  notification_templates: {
    template_versions: 'notification_template_id',
    template_revisions: 'notification_template_id',
  },
  brands: { application_brands: 'brand_id' },
  user_pools: { user_pool_organisations: 'user_pool_id' },
  users: {
    application_preferences: 'user_id',
    notification_preferences: 'user_id',
    push_subscriptions: 'user_id',
  },
}

interface RowKind {
  kind: string
  name?: string
  /** What is shown of a name, if not all of it. */
  shown?: (name: string) => string
}

/** What the API calls the rows of a table, and the column with their name, if they have one. */
export const ROW_KINDS: Record<string, RowKind> = {
  applications: { kind: 'application', name: 'code' },
  roles: { kind: 'role', name: 'code' },
  permissions: { kind: 'permission', name: 'code' },
  role_permissions: { kind: 'role_permission' },
  user_roles: { kind: 'role_assignment', name: 'email' },
  resource_overrides: { kind: 'override', name: 'email' },
  application_admins: { kind: 'administrator', name: 'email' },
  super_admins: { kind: 'super_admin', name: 'email' },
  entities: { kind: 'entity', name: 'code' },
  resources: { kind: 'resource', name: 'resource_id' },
  instances: { kind: 'instance', name: 'name' },
  application_keys: { kind: 'key', name: 'name' },
  application_brands: { kind: 'application_brand' },
  organisation_applications: { kind: 'oidc_client', name: 'client_name' },
  application_preferences: { kind: 'preference' },
  notification_types: { kind: 'notification_type', name: 'code' },
  notification_templates: { kind: 'template', name: 'key' },
  notification_preferences: { kind: 'notification_preference' },
  notification_type_samples: { kind: 'sample_data', name: 'name' },
  template_versions: { kind: 'language_version', name: 'locale' },
  template_revisions: { kind: 'template_revision' },
  check_counts: { kind: 'check_count' },
  webhooks: { kind: 'webhook', name: 'url', shown: (url) => new URL(url).origin },
  webhook_deliveries: { kind: 'webhook_delivery' },
  brands: { kind: 'brand', name: 'slug' },
  languages: { kind: 'language', name: 'code' },
  user_pools: { kind: 'user_pool', name: 'slug' },
  user_pool_organisations: { kind: 'organisation', name: 'organisation_id' },
  users: { kind: 'user', name: 'email' },
  push_subscriptions: { kind: 'push_subscription' },
  registration_locales: { kind: 'registration_locale' },
  panel_sessions: { kind: 'panel_session' },
  mail_bounces: { kind: 'mail_bounce' },
  suppressions: { kind: 'suppression' },
}
