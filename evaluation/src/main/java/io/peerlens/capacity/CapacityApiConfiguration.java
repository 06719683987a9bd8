package io.peerlens.capacity;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Forecasts in the API. */
@Configuration(proxyBeanMethods = false)
@Import({ForecastsController.class, CapacityQueries.class, Forecasts.class})
public class CapacityApiConfiguration {}
