package io.peerlens.load;

import io.peerlens.security.Caller;
import io.peerlens.security.ContractRoles;
import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.web.ApiException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Operations of the contract for callers inside of the server, such as tools of assistants. A call
 * is treated as the same request over HTTP would be: it counts for the rate of the token, its
 * parameters are checked against the contract, and a {@link Heavy} one waits for a place. Only
 * operations that read and that a viewer may call can be called.
 */
public final class ReadOperations {

  private final ListableBeanFactory beans;
  private final Validator validator;
  private final LoadLimits limits;
  private final Map<String, Operation> operations;
  private final Map<Class<?>, Object> callers = new ConcurrentHashMap<>();

  ReadOperations(ListableBeanFactory beans, Validator validator, LoadLimits limits) {
    this.beans = beans;
    this.validator = validator;
    this.limits = limits;
    this.operations =
        ContractRoles.read().stream().collect(Collectors.toMap(Operation::id, Function.identity()));
  }

  /**
   * Gives the operations of an interface that is generated from the contract. Their methods throw
   * {@link ApiException} for what HTTP would answer with a problem.
   */
  public <T> T of(Class<T> api) {
    return api.cast(callers.computeIfAbsent(api, this::caller));
  }

  private Object caller(Class<?> api) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getDeclaringClass() == Object.class
                ? method.invoke(this, arguments)
                : call(api, method, arguments == null ? new Object[0] : arguments);
    return Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, handler);
  }

  private @Nullable Object call(Class<?> api, Method method, @Nullable Object[] arguments)
      throws Throwable {
    Operation operation = operations.get(method.getName());
    if (operation == null || operation.audited() || !operation.role().equals("viewer")) {
      throw new IllegalArgumentException(
          method.getName() + " is no operation that reads and that a viewer may call");
    }
    Object caller = Caller.current().tokenId();
    limits.count(caller);
    Object controller = beans.getBean(api);
    check(controller, method, arguments);
    Heavy heavy =
        ClassUtils.getMostSpecificMethod(method, controller.getClass()).getAnnotation(Heavy.class);
    if (heavy == null) {
      return invoke(controller, method, arguments);
    }
    try (LoadLimits.Place place = limits.enter(heavy.value(), caller)) {
      return invoke(controller, method, arguments);
    }
  }

  private static @Nullable Object invoke(
      Object controller, Method method, @Nullable Object[] arguments) throws Throwable {
    try {
      return method.invoke(controller, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void check(Object controller, Method method, @Nullable Object[] arguments) {
    Set<ConstraintViolation<Object>> violations =
        validator.forExecutables().validateParameters(controller, method, arguments);
    violations.stream()
        .min(Comparator.comparing(one -> one.getPropertyPath().toString()))
        .ifPresent(
            one -> {
              throw ApiException.invalidParameter(
                  name(one.getPropertyPath()), String.valueOf(one.getMessage()));
            });
  }

  /** Without the method, and without the parameter when it is a body. */
  private static String name(Path path) {
    String text = path.toString().replace(".<list element>", "");
    String parameter = text.substring(text.indexOf('.') + 1);
    return parameter.substring(parameter.indexOf('.') + 1);
  }
}
