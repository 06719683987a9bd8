package io.peerlens.load;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.web.Problems;
import jakarta.validation.Validator;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Request limits of every process: each of them answers HTTP. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LoadProperties.class)
public class LoadConfiguration {

  @Bean
  FilterRegistrationBean<RequestFilter> requestFilter(Problems problems) {
    FilterRegistrationBean<RequestFilter> bean =
        new FilterRegistrationBean<>(new RequestFilter(problems));
    bean.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return bean;
  }

  @Bean
  Bulkhead bulkhead(LoadProperties properties, MeterRegistry meters) {
    Bulkhead bulkhead = new Bulkhead(properties);
    Gauge.builder("peerlens.load.heavy.working", bulkhead, Bulkhead::working)
        .description("Heavy requests that are worked on")
        .register(meters);
    Gauge.builder("peerlens.load.heavy.waiting", bulkhead, Bulkhead::waiting)
        .description("Heavy requests that wait for a place")
        .register(meters);
    return bulkhead;
  }

  @Bean
  RequestRates requestRates(LoadProperties properties) {
    return new RequestRates(properties.requestsPerSecond(), System::nanoTime);
  }

  @Bean
  LoadInterceptor loadInterceptor(
      Bulkhead bulkhead, RequestRates rates, LoadProperties properties) {
    // Who has a link is anybody: all its readers together ask a tenth of what one token may.
    RequestRates links =
        new RequestRates(Math.max(1, properties.requestsPerSecond() / 10), System::nanoTime);
    return new LoadInterceptor(bulkhead, rates, links);
  }

  @Bean
  LoadLimits loadLimits(Bulkhead bulkhead, RequestRates rates) {
    return new LoadLimits(bulkhead, rates);
  }

  @Bean
  ReadOperations readOperations(ListableBeanFactory beans, Validator validator, LoadLimits limits) {
    return new ReadOperations(beans, validator, limits);
  }

  @Bean
  WebMvcConfigurer loadInterceptors(LoadInterceptor limits) {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry
            .addInterceptor(limits)
            .addPathPatterns("/api/**")
            .order(Ordered.HIGHEST_PRECEDENCE);
      }
    };
  }
}
