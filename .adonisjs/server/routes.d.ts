import '@adonisjs/core/types/http'

type ParamValue = string | number | bigint | boolean

export type ScannedRoutes = {
  ALL: {
    'root': { paramsTuple?: []; params?: {} }
    'health.health.live': { paramsTuple?: []; params?: {} }
    'health.health.ready': { paramsTuple?: []; params?: {} }
    'metrics': { paramsTuple?: []; params?: {} }
    'openapi': { paramsTuple?: []; params?: {} }
    'docs.docs.show': { paramsTuple?: []; params?: {} }
    'docs.docs.script': { paramsTuple?: []; params?: {} }
    'docs.docs.start': { paramsTuple?: []; params?: {} }
    'docs.docs.error': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.brands.index': { paramsTuple?: []; params?: {} }
    'platform.brands.store': { paramsTuple?: []; params?: {} }
    'platform.brands.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.brands.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.brands.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.languages.index': { paramsTuple?: []; params?: {} }
    'platform.languages.store': { paramsTuple?: []; params?: {} }
    'platform.languages.update': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.languages.destroy': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.user_pools.index': { paramsTuple?: []; params?: {} }
    'platform.user_pools.store': { paramsTuple?: []; params?: {} }
    'platform.user_pools.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.user_pools.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'applications.applications.index': { paramsTuple?: []; params?: {} }
    'applications.applications.store': { paramsTuple?: []; params?: {} }
    'applications.applications.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.applications.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.applications.destroy': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.application_brands.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.application_brands.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.entities.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.entities.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.entities.items': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'entityCode': ParamValue} }
    'applications.resources.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.resources.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.resources.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.instances.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.instances.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.approve': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.keys.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.keys.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'internal_resources.resources.index_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'internal_resources.resources.update_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'internal_resources.resources.destroy_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'permissions.assignments.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.assignments.import': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.permissions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.permissions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.role_permission_matrix.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.role_permission_matrix.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.roles.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.roles.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.role_permissions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.role_permissions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'assignments.super_admins.index': { paramsTuple?: []; params?: {} }
    'assignments.super_admins.store': { paramsTuple?: []; params?: {} }
    'assignments.super_admins.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'assignments.application_admins.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'assignments.application_admins.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'assignments.application_admins.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'email': ParamValue} }
    'assignments.user_roles.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.user_roles.update': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.show': { paramsTuple: [ParamValue,ParamValue,ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue,'resourceType': ParamValue,'resourceId': ParamValue} }
    'assignments.overrides.update': { paramsTuple: [ParamValue,ParamValue,ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue,'resourceType': ParamValue,'resourceId': ParamValue} }
    'profiles.profile.mine': { paramsTuple?: []; params?: {} }
    'profiles.profile.update_mine': { paramsTuple?: []; params?: {} }
    'profiles.profile.options': { paramsTuple?: []; params?: {} }
    'profiles.preferences.index': { paramsTuple?: []; params?: {} }
    'profiles.preferences.bootstrap': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.preferences.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.preferences.activity': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.preferences.logout': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.profile.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.users.index': { paramsTuple?: []; params?: {} }
    'users.users.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.login_records.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.user_preferences.show': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'users.user_preferences.update': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'users.login_records.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_profiles.internal_profiles.application_event': { paramsTuple?: []; params?: {} }
    'internal_profiles.internal_profiles.sync': { paramsTuple?: []; params?: {} }
    'checks.checks.check': { paramsTuple?: []; params?: {} }
    'checks.checks.bulk': { paramsTuple?: []; params?: {} }
    'checks.checks.effective': { paramsTuple?: []; params?: {} }
    'checks.checks.explain': { paramsTuple?: []; params?: {} }
    'checks.searches.subjects': { paramsTuple?: []; params?: {} }
    'checks.searches.resources': { paramsTuple?: []; params?: {} }
    'checks.searches.permissions': { paramsTuple?: []; params?: {} }
    'checks.checks.clear_cache': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.check': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.bulk': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.effective': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.explain': { paramsTuple?: []; params?: {} }
    'own_checks.own_searches.resources': { paramsTuple?: []; params?: {} }
    'own_checks.own_searches.permissions': { paramsTuple?: []; params?: {} }
    'access.access.effective': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.access.explain': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.access.search_subjects': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.previews.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_checks.own_checks.admin_status': { paramsTuple?: []; params?: {} }
    'authzen.authzen.evaluation': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen.evaluations': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.subject': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.resource': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.action': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen.metadata': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'notifications.language_coverage.index': { paramsTuple?: []; params?: {} }
    'users.push_subscriptions.user_push_subscriptions.index': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.push_subscriptions.user_push_subscriptions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'id': ParamValue} }
    'notifications.type_texts.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'locale': ParamValue} }
    'admin_notifications.types.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.types.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.types.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.types.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.types.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.type_samples.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.type_samples.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.store': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.templates.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_versions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_versions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'admin_notifications.template_revisions.restore': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_versions.preview': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.types.list': { paramsTuple?: []; params?: {} }
    'internal_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'internal_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'internal_notifications.templates.store': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'internal_notifications.templates.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.templates.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_versions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.restore': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'own_notifications.inbox.index': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.unread_count': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox_stream.ticket': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.read_all': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.read': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.unread': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.archive': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.unarchive': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.snooze': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'inbox_component': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox_stream.show': { paramsTuple?: []; params?: {} }
    'own_notifications.preferences.bulk': { paramsTuple?: []; params?: {} }
    'own_notifications.preferences.update': { paramsTuple: [ParamValue]; params: {'notificationTypeId': ParamValue} }
    'own_notifications.preferences.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_notifications.quiet_hours.show': { paramsTuple?: []; params?: {} }
    'own_notifications.quiet_hours.update': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.vapid_key': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.store': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.unsubscribe': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.index': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notification_log.log.of_recipient': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'internal_notification_log.log.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.search_all': { paramsTuple?: []; params?: {} }
    'admin_notification_log.log.search': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.statistics': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policies.policies.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policies.policies.plan': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policies.policies.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policy_schema': { paramsTuple?: []; params?: {} }
    'suppressions.suppressions.index': { paramsTuple?: []; params?: {} }
    'suppressions.suppressions.store': { paramsTuple?: []; params?: {} }
    'suppressions.suppressions.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'bounces.index': { paramsTuple?: []; params?: {} }
    'bounces.store': { paramsTuple?: []; params?: {} }
    'delivery.internal_notifications.store': { paramsTuple?: []; params?: {} }
    'delivery.internal_notifications.bulk': { paramsTuple?: []; params?: {} }
    'delivery.explanations.explain': { paramsTuple?: []; params?: {} }
    'internal_log_entries.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_explanations.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'delivery.internal_notifications.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_log_entries.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_log_entries.body': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_explanations.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_explanations.explain': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_log_entries.resend': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_log_entries.cancel': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'delivery.template_tests.store': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'delivery.brand_tests.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'unsubscribe.unsubscribe.show': { paramsTuple: [ParamValue]; params: {'token': ParamValue} }
    'unsubscribe.unsubscribe.store': { paramsTuple: [ParamValue]; params: {'token': ParamValue} }
    'broadcasts.broadcasts.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcasts.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcast_previews.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcasts.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcasts.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.reasons': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcasts.stream': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_steering.pause': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_steering.resume': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_steering.cancel': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'identity_provider.webhook': { paramsTuple?: []; params?: {} }
    'identity_provider.email_hook.store': { paramsTuple?: []; params?: {} }
    'identity_provider.provider_status.health': { paramsTuple?: []; params?: {} }
    'identity_provider.provider_status.discovery': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.login': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.callback': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.show': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.preview': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.test': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.setup': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.activate': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.reconciliations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.reconciliations.store': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.store': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.applications': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.branding': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider_admin.organisations.brand': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider_admin.organisations.setup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider.identities.update': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.erasures.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.exports.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.user_status.update': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.client_synchronisation': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'identity_provider.synchronise_clients': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'identity_provider.registration_locale.update': { paramsTuple?: []; params?: {} }
    'audit.audit.index': { paramsTuple?: []; params?: {} }
    'audit.audit.head': { paramsTuple?: []; params?: {} }
    'audit.access_reviews.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'audit.audit.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'change_feed.change_feed.index': { paramsTuple?: []; params?: {} }
    'webhooks.webhooks.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhooks.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhooks.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhooks.rotate_secret': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhooks.test': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhook_deliveries.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhook_deliveries.replay': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue,'deliveryId': ParamValue} }
    'operations.show': { paramsTuple?: []; params?: {} }
    'operations.activity': { paramsTuple?: []; params?: {} }
    'operations.attention': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.login': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.callback': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.logout': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.current': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.index': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'panel_pages.start': { paramsTuple?: []; params?: {} }
    'panel_pages.page': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  GET: {
    'root': { paramsTuple?: []; params?: {} }
    'health.health.live': { paramsTuple?: []; params?: {} }
    'health.health.ready': { paramsTuple?: []; params?: {} }
    'metrics': { paramsTuple?: []; params?: {} }
    'openapi': { paramsTuple?: []; params?: {} }
    'docs.docs.show': { paramsTuple?: []; params?: {} }
    'docs.docs.script': { paramsTuple?: []; params?: {} }
    'docs.docs.start': { paramsTuple?: []; params?: {} }
    'docs.docs.error': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.brands.index': { paramsTuple?: []; params?: {} }
    'platform.brands.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.languages.index': { paramsTuple?: []; params?: {} }
    'platform.user_pools.index': { paramsTuple?: []; params?: {} }
    'applications.applications.index': { paramsTuple?: []; params?: {} }
    'applications.applications.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.application_brands.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.entities.items': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'entityCode': ParamValue} }
    'applications.resources.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.keys.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_resources.resources.index_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'permissions.assignments.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.role_permission_matrix.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.role_permissions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'assignments.super_admins.index': { paramsTuple?: []; params?: {} }
    'assignments.application_admins.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'assignments.user_roles.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.show': { paramsTuple: [ParamValue,ParamValue,ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue,'resourceType': ParamValue,'resourceId': ParamValue} }
    'profiles.profile.mine': { paramsTuple?: []; params?: {} }
    'profiles.profile.options': { paramsTuple?: []; params?: {} }
    'profiles.preferences.index': { paramsTuple?: []; params?: {} }
    'profiles.preferences.bootstrap': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.profile.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.users.index': { paramsTuple?: []; params?: {} }
    'users.users.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.login_records.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.user_preferences.show': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'users.login_records.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_checks.own_checks.admin_status': { paramsTuple?: []; params?: {} }
    'authzen.authzen.metadata': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'notifications.language_coverage.index': { paramsTuple?: []; params?: {} }
    'users.push_subscriptions.user_push_subscriptions.index': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'notifications.type_texts.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'locale': ParamValue} }
    'admin_notifications.types.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.types.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.type_samples.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'internal_notifications.types.list': { paramsTuple?: []; params?: {} }
    'internal_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'internal_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'own_notifications.inbox.index': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.unread_count': { paramsTuple?: []; params?: {} }
    'inbox_component': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox_stream.show': { paramsTuple?: []; params?: {} }
    'own_notifications.preferences.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_notifications.quiet_hours.show': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.vapid_key': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.index': { paramsTuple?: []; params?: {} }
    'internal_notification_log.log.of_recipient': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'internal_notification_log.log.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.search_all': { paramsTuple?: []; params?: {} }
    'admin_notification_log.log.search': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.statistics': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policies.policies.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policy_schema': { paramsTuple?: []; params?: {} }
    'suppressions.suppressions.index': { paramsTuple?: []; params?: {} }
    'bounces.index': { paramsTuple?: []; params?: {} }
    'internal_log_entries.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_explanations.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_log_entries.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_log_entries.body': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_explanations.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'unsubscribe.unsubscribe.show': { paramsTuple: [ParamValue]; params: {'token': ParamValue} }
    'broadcasts.broadcasts.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcasts.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.reasons': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcasts.stream': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'identity_provider.provider_status.health': { paramsTuple?: []; params?: {} }
    'identity_provider.provider_status.discovery': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.login': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.callback': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.show': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.preview': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.reconciliations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.applications': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.branding': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider.exports.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.client_synchronisation': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'audit.audit.index': { paramsTuple?: []; params?: {} }
    'audit.audit.head': { paramsTuple?: []; params?: {} }
    'audit.access_reviews.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'audit.audit.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'change_feed.change_feed.index': { paramsTuple?: []; params?: {} }
    'webhooks.webhooks.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhook_deliveries.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'operations.show': { paramsTuple?: []; params?: {} }
    'operations.activity': { paramsTuple?: []; params?: {} }
    'operations.attention': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.login': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.callback': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.current': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.index': { paramsTuple?: []; params?: {} }
    'panel_pages.start': { paramsTuple?: []; params?: {} }
    'panel_pages.page': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  HEAD: {
    'root': { paramsTuple?: []; params?: {} }
    'health.health.live': { paramsTuple?: []; params?: {} }
    'health.health.ready': { paramsTuple?: []; params?: {} }
    'metrics': { paramsTuple?: []; params?: {} }
    'openapi': { paramsTuple?: []; params?: {} }
    'docs.docs.show': { paramsTuple?: []; params?: {} }
    'docs.docs.script': { paramsTuple?: []; params?: {} }
    'docs.docs.start': { paramsTuple?: []; params?: {} }
    'docs.docs.error': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.brands.index': { paramsTuple?: []; params?: {} }
    'platform.brands.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.languages.index': { paramsTuple?: []; params?: {} }
    'platform.user_pools.index': { paramsTuple?: []; params?: {} }
    'applications.applications.index': { paramsTuple?: []; params?: {} }
    'applications.applications.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.application_brands.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.entities.items': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'entityCode': ParamValue} }
    'applications.resources.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.keys.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_resources.resources.index_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'permissions.assignments.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.role_permission_matrix.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.role_permissions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'assignments.super_admins.index': { paramsTuple?: []; params?: {} }
    'assignments.application_admins.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'assignments.user_roles.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.index': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.show': { paramsTuple: [ParamValue,ParamValue,ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue,'resourceType': ParamValue,'resourceId': ParamValue} }
    'profiles.profile.mine': { paramsTuple?: []; params?: {} }
    'profiles.profile.options': { paramsTuple?: []; params?: {} }
    'profiles.preferences.index': { paramsTuple?: []; params?: {} }
    'profiles.preferences.bootstrap': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.profile.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.users.index': { paramsTuple?: []; params?: {} }
    'users.users.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.login_records.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'users.user_preferences.show': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'users.login_records.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_checks.own_checks.admin_status': { paramsTuple?: []; params?: {} }
    'authzen.authzen.metadata': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'notifications.language_coverage.index': { paramsTuple?: []; params?: {} }
    'users.push_subscriptions.user_push_subscriptions.index': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'notifications.type_texts.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'locale': ParamValue} }
    'admin_notifications.types.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.types.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.type_samples.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'internal_notifications.types.list': { paramsTuple?: []; params?: {} }
    'internal_notifications.templates.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_notifications.templates.of_type': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'internal_notifications.template_versions.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.show': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.index': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.template_revisions.show': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue,'revision': ParamValue} }
    'own_notifications.inbox.index': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.unread_count': { paramsTuple?: []; params?: {} }
    'inbox_component': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox_stream.show': { paramsTuple?: []; params?: {} }
    'own_notifications.preferences.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_notifications.quiet_hours.show': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.vapid_key': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.index': { paramsTuple?: []; params?: {} }
    'internal_notification_log.log.of_recipient': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'internal_notification_log.log.of_application': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.search_all': { paramsTuple?: []; params?: {} }
    'admin_notification_log.log.search': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notification_log.log.statistics': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policies.policies.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'policy_schema': { paramsTuple?: []; params?: {} }
    'suppressions.suppressions.index': { paramsTuple?: []; params?: {} }
    'bounces.index': { paramsTuple?: []; params?: {} }
    'internal_log_entries.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_explanations.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_log_entries.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_log_entries.body': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_explanations.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'unsubscribe.unsubscribe.show': { paramsTuple: [ParamValue]; params: {'token': ParamValue} }
    'broadcasts.broadcasts.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcasts.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_recipients.reasons': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcasts.stream': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'identity_provider.provider_status.health': { paramsTuple?: []; params?: {} }
    'identity_provider.provider_status.discovery': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.login': { paramsTuple?: []; params?: {} }
    'identity_provider.development_login.callback': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.show': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.preview': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.reconciliations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.index': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.applications': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.branding': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider.exports.show': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.client_synchronisation': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'audit.audit.index': { paramsTuple?: []; params?: {} }
    'audit.audit.head': { paramsTuple?: []; params?: {} }
    'audit.access_reviews.show': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'audit.audit.of_user': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'change_feed.change_feed.index': { paramsTuple?: []; params?: {} }
    'webhooks.webhooks.index': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.show': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhook_deliveries.index': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'operations.show': { paramsTuple?: []; params?: {} }
    'operations.activity': { paramsTuple?: []; params?: {} }
    'operations.attention': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.login': { paramsTuple?: []; params?: {} }
    'panel_sign_in.sign_in.callback': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.current': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.index': { paramsTuple?: []; params?: {} }
    'panel_pages.start': { paramsTuple?: []; params?: {} }
    'panel_pages.page': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  POST: {
    'platform.brands.store': { paramsTuple?: []; params?: {} }
    'platform.languages.store': { paramsTuple?: []; params?: {} }
    'platform.user_pools.store': { paramsTuple?: []; params?: {} }
    'applications.applications.store': { paramsTuple?: []; params?: {} }
    'applications.entities.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.resources.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.instances.approve': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.keys.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_resources.resources.destroy_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'permissions.assignments.import': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.permissions.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'permissions.roles.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'assignments.super_admins.store': { paramsTuple?: []; params?: {} }
    'assignments.application_admins.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.preferences.activity': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'profiles.preferences.logout': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'internal_profiles.internal_profiles.application_event': { paramsTuple?: []; params?: {} }
    'checks.checks.check': { paramsTuple?: []; params?: {} }
    'checks.checks.bulk': { paramsTuple?: []; params?: {} }
    'checks.checks.effective': { paramsTuple?: []; params?: {} }
    'checks.checks.explain': { paramsTuple?: []; params?: {} }
    'checks.searches.subjects': { paramsTuple?: []; params?: {} }
    'checks.searches.resources': { paramsTuple?: []; params?: {} }
    'checks.searches.permissions': { paramsTuple?: []; params?: {} }
    'checks.checks.clear_cache': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.check': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.bulk': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.effective': { paramsTuple?: []; params?: {} }
    'own_checks.own_checks.explain': { paramsTuple?: []; params?: {} }
    'own_checks.own_searches.resources': { paramsTuple?: []; params?: {} }
    'own_checks.own_searches.permissions': { paramsTuple?: []; params?: {} }
    'access.access.effective': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.access.explain': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.access.search_subjects': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'access.previews.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen.evaluation': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen.evaluations': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.subject': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.resource': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'authzen.authzen_searches.action': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.types.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_notifications.templates.store': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.template_revisions.restore': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'admin_notifications.template_versions.preview': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.templates.store': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'internal_notifications.template_revisions.restore': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'own_notifications.inbox_stream.ticket': { paramsTuple?: []; params?: {} }
    'own_notifications.inbox.read_all': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.store': { paramsTuple?: []; params?: {} }
    'own_notifications.push_subscriptions.unsubscribe': { paramsTuple?: []; params?: {} }
    'policies.policies.plan': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'suppressions.suppressions.store': { paramsTuple?: []; params?: {} }
    'bounces.store': { paramsTuple?: []; params?: {} }
    'delivery.internal_notifications.store': { paramsTuple?: []; params?: {} }
    'delivery.internal_notifications.bulk': { paramsTuple?: []; params?: {} }
    'delivery.explanations.explain': { paramsTuple?: []; params?: {} }
    'admin_explanations.explain': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'admin_log_entries.resend': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'admin_log_entries.cancel': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'delivery.template_tests.store': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'delivery.brand_tests.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'unsubscribe.unsubscribe.store': { paramsTuple: [ParamValue]; params: {'token': ParamValue} }
    'broadcasts.broadcasts.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcast_previews.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcast_steering.pause': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_steering.resume': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'broadcasts.broadcast_steering.cancel': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'identity_provider.webhook': { paramsTuple?: []; params?: {} }
    'identity_provider.email_hook.store': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.test': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.setup': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.notification_provider.activate': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.reconciliations.store': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.store': { paramsTuple?: []; params?: {} }
    'identity_provider_admin.organisations.setup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider.synchronise_clients': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.store': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'webhooks.webhooks.rotate_secret': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhooks.test': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'webhooks.webhook_deliveries.replay': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue,'deliveryId': ParamValue} }
    'panel_sign_in.sign_in.logout': { paramsTuple?: []; params?: {} }
  }
  PUT: {
    'platform.brands.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.languages.update': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.user_pools.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'applications.applications.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.application_brands.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.resources.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'internal_resources.resources.update_internal': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'code': ParamValue} }
    'permissions.permissions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.roles.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'permissions.role_permissions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'assignments.user_roles.update': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'assignments.overrides.update': { paramsTuple: [ParamValue,ParamValue,ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue,'resourceType': ParamValue,'resourceId': ParamValue} }
    'profiles.profile.update_mine': { paramsTuple?: []; params?: {} }
    'profiles.preferences.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'users.user_preferences.update': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'appCode': ParamValue} }
    'internal_profiles.internal_profiles.sync': { paramsTuple?: []; params?: {} }
    'admin_notifications.types.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.type_samples.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.templates.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'own_notifications.preferences.bulk': { paramsTuple?: []; params?: {} }
    'own_notifications.preferences.update': { paramsTuple: [ParamValue]; params: {'notificationTypeId': ParamValue} }
    'own_notifications.quiet_hours.update': { paramsTuple?: []; params?: {} }
    'policies.policies.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'broadcasts.broadcasts.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'identity_provider_admin.organisations.brand': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'identity_provider.identities.update': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.user_status.update': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'identity_provider.registration_locale.update': { paramsTuple?: []; params?: {} }
    'webhooks.webhooks.update': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
  }
  DELETE: {
    'platform.brands.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'platform.languages.destroy': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'platform.user_pools.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'applications.applications.destroy': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'applications.entities.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.instances.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'applications.keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'permissions.permissions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'permissionId': ParamValue} }
    'permissions.roles.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'roleId': ParamValue} }
    'assignments.super_admins.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'assignments.application_admins.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'email': ParamValue} }
    'users.push_subscriptions.user_push_subscriptions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'email': ParamValue,'id': ParamValue} }
    'admin_notifications.types.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'type': ParamValue} }
    'admin_notifications.templates.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'admin_notifications.template_versions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'internal_notifications.templates.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'internal_notifications.template_versions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'locale': ParamValue} }
    'own_notifications.push_subscriptions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'suppressions.suppressions.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'delivery.internal_notifications.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'identity_provider.erasures.destroy': { paramsTuple: [ParamValue]; params: {'email': ParamValue} }
    'webhooks.webhooks.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'appCode': ParamValue,'id': ParamValue} }
    'panel_sessions.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'panel_sessions.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
  }
  PATCH: {
    'permissions.role_permission_matrix.update': { paramsTuple: [ParamValue]; params: {'appCode': ParamValue} }
    'own_notifications.inbox.read': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.unread': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.archive': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.unarchive': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'own_notifications.inbox.snooze': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
  }
}
declare module '@adonisjs/core/types/http' {
  export interface RoutesList extends ScannedRoutes {}
}