/** What can be done with an account, each as a small form. */

export type Mode = "register" | "login" | "recover" | "own" | "rename" | "password" | "code" | "erase";
export type FieldName = "name" | "password" | "fresh" | "code";

export interface Form {
  title: string;
  text: string;
  fields: FieldName[];
  button: string;
}

export const FORMS: Record<Exclude<Mode, "own">, Form> = {
  register: {
    title: "New account",
    text: "Keeps your seats, hands and statistics, on every device. You can play without it.",
    fields: ["name", "password"],
    button: "Register",
  },
  login: { title: "I have one", text: "Welcome back.", fields: ["name", "password"], button: "Log in" },
  recover: {
    title: "Lost password",
    text: "The recovery code that you were shown lets you in once, and you choose another password.",
    fields: ["name", "code", "fresh"],
    button: "Set the password",
  },
  rename: {
    title: "Change the name",
    text: "At tables where you sit, and in past hands, the old name stays.",
    fields: ["name"],
    button: "Change the name",
  },
  password: {
    title: "Change the password",
    text: "Your other devices are logged out, and you get a new recovery code.",
    fields: ["password", "fresh"],
    button: "Change the password",
  },
  code: {
    title: "New recovery code",
    text: "The code before it no longer counts.",
    fields: ["password"],
    button: "Make a new code",
  },
  erase: {
    title: "Delete the account",
    text: "Your account, your statistics and the hands that no other person was in are deleted. In other hands your name is replaced. This cannot be undone.",
    fields: ["password"],
    button: "Delete the account",
  },
};

export interface Input {
  label: string;
  type: "text" | "password";
  autocomplete: AutoFill;
}

/** A field, as browsers and their keepers of passwords know it. */
export function inputOf(field: FieldName, mode: Mode): Input {
  if (field === "name")
    return {
      label: mode === "rename" ? "New name" : "Name",
      type: "text",
      autocomplete: mode === "rename" ? "off" : "username",
    };
  if (field === "code") return { label: "Recovery code", type: "text", autocomplete: "one-time-code" };
  if (field === "fresh") return { label: "New password", type: "password", autocomplete: "new-password" };
  return {
    label: "Password",
    type: "password",
    autocomplete: mode === "register" ? "new-password" : "current-password",
  };
}

/** The field of which a password that nobody has yet is chosen; null where none is. */
export const choosing = (mode: Mode): FieldName | null =>
  mode === "register" ? "password" : mode === "password" || mode === "recover" ? "fresh" : null;

export const passwordProblem = (text: string): string | null =>
  text.length < 8 || text.length > 200 ? "A password has 8 to 200 characters." : null;
