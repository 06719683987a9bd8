package io.peerlens.web;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Mapping of requests to operations of the contract. An operation that answers without a body, such
 * as DELETE, produces nothing but problems by the contract; whoever accepts JSON alone may call it
 * all the same.
 */
public final class OperationMapping extends RequestMappingHandlerMapping {

  private static final Set<MediaType> PROBLEMS = Set.of(MediaType.APPLICATION_PROBLEM_JSON);

  @Override
  protected @Nullable RequestMappingInfo getMappingForMethod(Method method, Class<?> handlerType) {
    RequestMappingInfo mapping = super.getMappingForMethod(method, handlerType);
    return mapping != null
            && mapping.getProducesCondition().getProducibleMediaTypes().equals(PROBLEMS)
        ? mapping.mutate().produces().build()
        : mapping;
  }
}
