package io.peerlens.capacity;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of forecasts. */
@Configuration(proxyBeanMethods = false)
@Import({ForecastsController.class, CapacityAnswers.class, CapacityQueries.class, Forecasts.class})
public class CapacityApiConfiguration {}
