export { type InboxDemoOptions, type RunningInboxDemo, startInboxDemo } from './server.ts'
