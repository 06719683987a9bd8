package io.peerlens.outlier.event;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of outlier events and of exceptions of members, with their beans. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierEventsController.class,
  ExceptionStore.class,
  OutlierEventQueries.class,
  StreamedOutliers.class,
  OutlierEventActionStore.class
})
public class OutlierEventApiConfiguration {}
