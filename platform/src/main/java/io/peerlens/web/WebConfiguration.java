package io.peerlens.web;

import io.peerlens.api.EnumConverterConfiguration;
import java.util.stream.Collectors;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.cfg.ConstructorDetector;

/** Problem JSON, limits and the pages' addresses, for every process: each of them answers HTTP. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebProperties.class)
@Import({
  ProblemHandler.class,
  ErrorPages.FromFilters.class,
  EnumConverterConfiguration.class,
  PageAddresses.class,
  Problems.class
})
public class WebConfiguration {

  @Bean
  FilterRegistrationBean<BodyLimitFilter> bodyLimit(
      WebProperties properties, ObjectProvider<OwnBodyLimits> others, Problems problems) {
    FilterRegistrationBean<BodyLimitFilter> bean =
        new FilterRegistrationBean<>(
            new BodyLimitFilter(
                properties.maxBodySize().toBytes(),
                properties.maxImportSize().toBytes(),
                others.stream().flatMap(o -> o.paths().stream()).collect(Collectors.toSet()),
                problems));
    bean.addUrlPatterns("/*");
    bean.setOrder(BodyLimitFilter.ORDER);
    return bean;
  }

  @Bean
  BodyMembers bodyMembers(
      @Qualifier("requestMappingHandlerMapping")
          ObjectProvider<RequestMappingHandlerMapping> handlers) {
    return new BodyMembers(() -> handlers.getObject().getHandlerMethods());
  }

  /**
   * Models of the contract are made with their empty constructors. With the one for required fields
   * the mapper would set unknown members aside and no longer know where they stood.
   */
  @Bean
  JsonMapperBuilderCustomizer unknownMembers(BodyMembers members) {
    return mapper ->
        mapper
            .constructorDetector(
                ConstructorDetector.DEFAULT.withAllowImplicitWithDefaultConstructor(false))
            .addHandler(members.handler())
            .addModule(FormerNames.accepted())
            .addModule(FormerNames.given());
  }

  @Bean
  FilterRegistrationBean<FormerParameters> formerParameters() {
    FilterRegistrationBean<FormerParameters> bean =
        new FilterRegistrationBean<>(new FormerParameters());
    bean.addUrlPatterns("/api/*");
    return bean;
  }

  @Bean
  WebMvcConfigurer queryParameters() {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new QueryParameters()).addPathPatterns("/api/**");
      }
    };
  }

  /**
   * Keeps Tomcat from reading bodies on its own: neither for parameters, nor to the end when a
   * request was refused, nor by asking for it before somebody wants to read it.
   */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> unreadBodies(WebProperties properties) {
    int swallowed = (int) Math.min(properties.maxBodySize().toBytes(), Integer.MAX_VALUE);
    return factory ->
        factory.addConnectorCustomizers(
            connector -> {
              connector.setParseBodyMethods("");
              if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                http.setMaxSwallowSize(swallowed);
                http.setContinueResponseTiming("onRead");
              }
            });
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> serverErrors() {
    return factory ->
        factory.addContextCustomizers(
            context -> {
              if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ServerErrorReport.class.getName());
              }
            });
  }
}
