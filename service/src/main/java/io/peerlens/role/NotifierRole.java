package io.peerlens.role;

import io.peerlens.node.Role;
import io.peerlens.notify.channel.ChannelsConfiguration;
import io.peerlens.notify.notice.NoticeConfiguration;
import io.peerlens.notify.report.TalkerReportNotifierConfiguration;
import io.peerlens.threshold.ThresholdConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Role {@code notifier}: decides which targets are notified of alerts, and delivers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.NOTIFIER)
@Import({
  ChannelsConfiguration.class,
  NoticeConfiguration.class,
  TalkerReportNotifierConfiguration.class,
  ThresholdConfiguration.class // to tell of those that cannot be read
})
public class NotifierRole {}
