package io.peerlens.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.peerlens.supermetrics.formula.Nearest;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/**
 * Members of JSON bodies that their model does not have. Those that the same thing has when it is
 * read, such as {@code version} and {@code createdAt}, are passed over, so that what GET gave can
 * be sent back by PUT, and by POST as a copy; all others are refused at once.
 *
 * <p>What is read only follows from the operations: PUT takes one model at a path where GET gives
 * another, and POST takes one at the path above.
 */
@ControllerAdvice
final class BodyMembers extends RequestBodyAdviceAdapter {

  private static final String UNKNOWN = BodyMembers.class.getName() + ".unknown";

  /** How many are named; a body of 1 MB may have very many. */
  private static final int NAMED = 20;

  private final Supplier<Map<RequestMappingInfo, HandlerMethod>> handlers;
  private volatile @Nullable Map<Class<?>, Set<String>> readOnly;

  BodyMembers(Supplier<Map<RequestMappingInfo, HandlerMethod>> handlers) {
    this.handlers = handlers;
  }

  /** Members that a body had too much; {@code advice} is a sentence without its subject. */
  private record Unknown(String path, String place, String advice) {}

  private static final class Found {
    private final List<Unknown> unknown = new ArrayList<>();
    private int more;
  }

  // Reading a body --------------------------------------------------------------------------------

  @Override
  public boolean supports(
      MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
    return AbstractJacksonHttpMessageConverter.class.isAssignableFrom(converter);
  }

  @Override
  public HttpInputMessage beforeBodyRead(
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converter) {
    RequestContextHolder.currentRequestAttributes()
        .setAttribute(UNKNOWN, new Found(), RequestAttributes.SCOPE_REQUEST);
    return message;
  }

  @Override
  public Object afterBodyRead(
      Object body,
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converter) {
    RequestAttributes request = RequestContextHolder.currentRequestAttributes();
    Found found =
        (Found)
            Objects.requireNonNull(request.getAttribute(UNKNOWN, RequestAttributes.SCOPE_REQUEST));
    request.removeAttribute(UNKNOWN, RequestAttributes.SCOPE_REQUEST);
    if (!found.unknown.isEmpty()) {
      throw problem(found);
    }
    return body;
  }

  private static ApiException problem(Found found) {
    StringBuilder detail = new StringBuilder();
    for (Unknown one : found.unknown) {
      detail
          .append(detail.isEmpty() ? "" : " ")
          .append("Field ")
          .append(one.path())
          .append(": there is no such field")
          .append(one.place())
          .append('.');
    }
    if (found.more > 0) {
      detail.append(" There are ").append(found.more).append(" more.");
    }
    ApiException problem = ApiException.of(ErrorCode.INVALID_BODY, detail.toString());
    Map<String, Set<String>> advice = new TreeMap<>();
    for (Unknown one : found.unknown) {
      problem = problem.field(one.path(), "there is no such field");
      advice.computeIfAbsent(one.advice(), text -> new LinkedHashSet<>()).add(one.path());
    }
    return problem.hint(
        advice.size() == 1
            ? advice.keySet().iterator().next()
            : advice.entrySet().stream()
                .map(one -> String.join(", ", one.getValue()) + ": " + one.getKey())
                .collect(Collectors.joining(" ")));
  }

  /**
   * What the mapper asks about members that a model does not have. Bodies only: everything else
   * that is read keeps its own rule.
   */
  DeserializationProblemHandler handler() {
    return new DeserializationProblemHandler() {
      @Override
      public boolean handleUnknownProperty(
          DeserializationContext context,
          JsonParser parser,
          ValueDeserializer<?> deserializer,
          Object beanOrClass,
          String name) {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request == null
            || !(request.getAttribute(UNKNOWN, RequestAttributes.SCOPE_REQUEST)
                instanceof Found found)) {
          return false;
        }
        Class<?> model = beanOrClass instanceof Class<?> type ? type : beanOrClass.getClass();
        if (!readOnly().getOrDefault(model, Set.of()).contains(name)) {
          if (found.unknown.size() < NAMED) {
            found.unknown.add(unknown(parser, deserializer, name));
          } else {
            found.more++;
          }
        }
        parser.skipChildren();
        return true;
      }
    };
  }

  private static Unknown unknown(
      JsonParser parser, ValueDeserializer<?> deserializer, String name) {
    Collection<Object> names =
        Objects.requireNonNullElse(deserializer.getKnownPropertyNames(), List.of());
    List<String> known = names.stream().map(String::valueOf).sorted().toList();
    String nearest = Nearest.of(name, known);
    TokenStreamContext at = parser.streamReadContext();
    TokenStreamContext holder = parser.currentToken().isStructStart() ? at.getParent() : at;
    TokenStreamLocation place = parser.currentTokenLocation();
    return new Unknown(
        path(Objects.requireNonNull(holder)),
        " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")",
        nearest == null
            ? "The fields here are: " + String.join(", ", known) + "."
            : "Did you mean " + nearest + "?");
  }

  /** Such as {@code metrics[2].unit}. */
  private static String path(TokenStreamContext of) {
    StringBuilder path = new StringBuilder();
    for (TokenStreamContext at = of; at != null && !at.inRoot(); at = at.getParent()) {
      TokenStreamContext above = at.getParent();
      path.insert(
          0,
          at.inArray()
              ? "[" + at.getCurrentIndex() + "]"
              : (above == null || above.inRoot() ? "" : ".") + Texts.shorten(at.currentName()));
    }
    return path.toString();
  }

  // What is read only -----------------------------------------------------------------------------

  /** Of each model, the members that only its answer has. */
  private Map<Class<?>, Set<String>> readOnly() {
    Map<Class<?>, Set<String>> known = readOnly;
    if (known == null) {
      known = readOnly(handlers.get());
      readOnly = known;
    }
    return known;
  }

  private static Map<Class<?>, Set<String>> readOnly(
      Map<RequestMappingInfo, HandlerMethod> handlers) {
    Map<String, Map<RequestMethod, HandlerMethod>> paths = new TreeMap<>();
    handlers.forEach(
        (info, handler) -> {
          for (String path : info.getPatternValues()) {
            for (RequestMethod method : info.getMethodsCondition().getMethods()) {
              paths.computeIfAbsent(path, p -> new HashMap<>()).put(method, handler);
            }
          }
        });
    Map<Class<?>, Set<String>> members = new HashMap<>();
    paths.forEach(
        (path, item) -> {
          HandlerMethod get = item.get(RequestMethod.GET);
          HandlerMethod put = item.get(RequestMethod.PUT);
          if (get == null || put == null) {
            return;
          }
          Class<?> answer = answer(get);
          add(members, body(put), answer);
          Map<RequestMethod, HandlerMethod> above =
              paths.getOrDefault(path.substring(0, path.lastIndexOf('/')), Map.of());
          HandlerMethod post = above.get(RequestMethod.POST);
          if (post != null && answer(post) == answer) {
            add(members, body(post), answer);
          }
        });
    return members;
  }

  private static void add(
      Map<Class<?>, Set<String>> members, @Nullable Class<?> written, @Nullable Class<?> read) {
    if (written == null || read == null || written == read || members.containsKey(written)) {
      return;
    }
    Map<String, Class<?>> ofWritten = properties(written);
    Map<String, Class<?>> ofRead = properties(read);
    Set<String> only = new HashSet<>(ofRead.keySet());
    only.removeAll(ofWritten.keySet());
    if (only.size() == ofRead.size()) {
      return; // a text beside a number
    }
    members.put(written, only);
    ofWritten.forEach((name, type) -> add(members, type, ofRead.get(name)));
  }

  /** Of a model of the contract, with the types of their items where they are lists. */
  private static Map<String, Class<?>> properties(Class<?> model) {
    Map<String, Class<?>> properties = new HashMap<>();
    for (Method method : model.getMethods()) {
      JsonProperty property = method.getAnnotation(JsonProperty.class);
      if (property != null && method.getParameterCount() == 0) {
        Class<?> type = item(method.getGenericReturnType());
        properties.put(property.value(), type == null ? Object.class : type);
      }
    }
    return properties;
  }

  /** The class itself, or of the last argument: of a list's items, a map's values, an answer. */
  private static @Nullable Class<?> item(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType of ->
          item(of.getActualTypeArguments()[of.getActualTypeArguments().length - 1]);
      default -> null;
    };
  }

  private static @Nullable Class<?> answer(HandlerMethod handler) {
    return item(handler.getMethod().getGenericReturnType());
  }

  private static @Nullable Class<?> body(HandlerMethod handler) {
    for (MethodParameter parameter : handler.getMethodParameters()) {
      if (parameter.hasParameterAnnotation(RequestBody.class)) {
        return parameter.getParameterType();
      }
    }
    return null;
  }
}
