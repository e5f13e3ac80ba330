import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'
import httpLimits from '#config/http_limits'

const { Component, Inbox } = controllers.inbox
const ownBody = middleware.json({ limit: httpLimits.bodyBytes.own })

router
  .group(() => {
    router.get('/', [Inbox, 'index'])
    router.get('/unread-count', [Inbox, 'unreadCount'])
    router.post('/read-all', [Inbox, 'readAll']).use(ownBody)
    router.patch('/:id/read', [Inbox, 'read']).use(ownBody)
    router.patch('/:id/unread', [Inbox, 'unread']).use(ownBody)
    router.patch('/:id/archive', [Inbox, 'archive']).use(ownBody)
    router.patch('/:id/unarchive', [Inbox, 'unarchive']).use(ownBody)
    router.patch('/:id/snooze', [Inbox, 'snooze']).use(ownBody)
  })
  .prefix('/api/profile/me/notifications/inbox')
  .as('own_notifications')
  .use([middleware.token(), throttle.token])

router.get('/concierge-inbox.js', [Component, 'script']).as('inbox_component').use(throttle.public)
