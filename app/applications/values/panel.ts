/**
 * The admin panel is itself an application (specification part 5); these are the names its rights go by.
 */
export const PANEL_APPLICATION = 'auth'
export const MANAGE_APPLICATIONS = 'applications.manage'
export const APPLICATION_MANAGER_ROLE = 'application_manager'
export const APPLICATION_ENTITY = 'application'
/** Gives `applications.manage` at `edit` on all applications. */
export const PANEL_ADMIN_ROLE = 'panel_admin'
