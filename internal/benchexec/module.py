import os
import re

import benchexec.result as result
import benchexec.tools.template

HERE = os.path.dirname(os.path.abspath(__file__))
EXPORT = os.path.dirname(HERE)
DIRECTORY = os.path.join(EXPORT, "tools", NAME)


class Tool(benchexec.tools.template.BaseTool2):
    def __init__(self):
        self.asked = {}  # the properties of the runs, by their commands

    def name(self):
        return NAME

    def project_url(self):
        return URL

    def executable(self, tool_locator):
        program = COMMAND[0]
        return program if os.path.isabs(program) else os.path.join(DIRECTORY, program)

    def program_files(self, executable):
        return [executable, DIRECTORY]

    def cmdline(self, executable, options, task, rlimits):
        def whole(path):
            return os.path.abspath(os.path.join(self.working_directory(executable), path))

        inputs = [whole(path) for path in task.input_files]
        file = whole(task.property_file) if task.property_file else ""
        asked = PROPERTIES.get(os.path.relpath(file, os.path.join(EXPORT, "properties")), [""]) if file else [""]
        model = (task.options or {}).get("data_model") or "ILP32"
        values = {
            "{property}": file,
            "{property_name}": asked[0],
            "{witness}": WITNESS,
            "{data_model}": DATA_MODELS.get(model, model),
            "{cpu}": str(rlimits.cputime or ""),
            "{memory}": str(rlimits.memory // 1000000 if rlimits.memory else ""),
            "{cores}": str(rlimits.cpu_cores or ""),
            "{tool}": DIRECTORY,
            "{task_dir}": os.path.dirname(inputs[0]),
        }

        def expand(word, values):
            return re.sub(r"\{[a-z_]+\}", lambda mark: values.get(mark.group(), mark.group()), word)

        command = []
        for word in COMMAND[1:]:
            # Options have the placeholders of commands, {witness} as BenchExec leaves it there.
            command += [option.replace("${witness}", "{witness}") for option in options] if word == "{options}" else [word]
        words = [executable]
        for word in command:
            if "{input}" in word:
                words += [expand(word, {**values, "{input}": path}) for path in inputs]
            elif expand(word, values):
                words.append(expand(word, values))
        self.asked[self.key(words)] = asked
        return words

    def key(self, words):
        # BenchExec puts variables and home directories into the words that it runs.
        return tuple(os.path.expanduser(os.path.expandvars(word)) for word in words)

    def determine_result(self, run):
        if run.was_terminated:
            return result.RESULT_UNKNOWN
        asked = self.asked.get(tuple(run.cmdline), [""])
        for first, second, code, properties, answer, group in RULES:
            if properties and asked[0] not in properties or code is not None and code != run.exit_code.value:
                continue
            hits = []
            for expression in (first, second):
                if expression is not None:
                    found = (re.search(expression, line, re.ASCII) for line in run.output)
                    hits.append(next((hit for hit in found if hit), None))
            if None not in hits:
                return self.verdict(answer, group, hits)
        return result.RESULT_UNKNOWN

    def verdict(self, answer, group, hits):
        part = answer[len("FALSE(") : -1] if answer.startswith("FALSE(") else None
        if group:
            parts = [hit.group(group) for hit in hits if group in hit.re.groupindex]
            part = next((part for part in parts if part), "")
        if part is not None:
            return f"{result.RESULT_FALSE_PROP}({part})" if re.fullmatch("[a-z]+(-[a-z]+)*", part) else result.RESULT_UNKNOWN
        return {"TRUE": result.RESULT_TRUE_PROP, "FALSE": result.RESULT_FALSE_PROP, "UNKNOWN": result.RESULT_UNKNOWN}.get(answer, answer)
